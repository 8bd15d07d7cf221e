// The pieces of HTML that a page is put together from.
#pragma once

#include <string>
#include <vector>

#include "host/common/text_table.hpp"

namespace scree {

/// An element around a text, which is escaped; `tag` may have attributes.
std::string element(const std::string& tag, const std::string& text);
std::string list_of(const std::vector<std::string>& items);
/// The same of sentences, in which what stands between two ` is code.
std::string list_of_sentences(const std::vector<std::string>& sentences);
std::string table_of(const TextTable& table);
std::string details(const std::string& summary, const std::string& html);
/// A place for a figure that the script draws, with what it shows in a sentence and as a table. `still` is seen until
/// the script has run.
std::string figure(const std::string& id, const std::string& sentence, const std::string& table,
                   const std::string& still = "");
/// A picture in the file, from the bytes of a PNG.
std::string picture(const std::string& what, const std::string& png);

}  // namespace scree
