// A config as a tree, before anything is looked for in it.
#include "harness.hpp"
#include "host/config/tree.hpp"

namespace scree::fuzz::of_toml {
namespace {

void feed(std::string_view input) {
  const Node root = in_time([&] { return parse_config("x.toml", std::string(input)); });
  for (const Node& item : root.items) require_line(item.where + ": " + value_text(item));
}

const Registered registered({"toml", feed});

}  // namespace
}  // namespace scree::fuzz::of_toml
