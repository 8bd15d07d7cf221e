// `scree completion`: what a shell completes the words of a command line with.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace scree {

/// bash, zsh, fish
const std::vector<std::string>& completing_shells();

/// What may follow options of which only the caller knows.
using MoreWords = std::vector<std::pair<const CLI::Option*, std::vector<std::string>>>;

/// A script for one of them: the commands and options that `app` has, and the systems, schemes and columns of this
/// program. Throws Error(Exit::usage) for another shell.
std::string completion(const CLI::App& app, const std::string& shell, const MoreWords& more);

}  // namespace scree
