#include "html.hpp"

#include "host/common/base64.hpp"
#include "host/common/markup.hpp"
#include "packed.hpp"

namespace scree {

std::string element(const std::string& tag, const std::string& text) {
  return "<" + tag + ">" + escaped(text) + "</" + tag.substr(0, tag.find(' ')) + ">\n";
}

std::string list_of(const std::vector<std::string>& items) {
  std::string html = "<ul>\n";
  for (const std::string& item : items) html += element("li", item);
  return html + "</ul>\n";
}

std::string list_of_sentences(const std::vector<std::string>& sentences) {
  std::string html = list_of(sentences);
  for (std::size_t from = 0, to; (from = html.find('`', from)) != std::string::npos; from = to) {
    to = html.find_first_of("`\n", from + 1);
    if (html[to] == '`') html.replace(from, to - from + 1, "<code>" + html.substr(from + 1, to - from - 1) + "</code>");
  }
  return html;
}

std::string table_of(const TextTable& table) {
  std::string html = "<div class=\"wide\"><table>\n";
  for (std::size_t r = 0; r < table.rows().size(); ++r) {
    html += "<tr>";
    for (std::size_t c = 0; c < table.rows()[r].size(); ++c) {
      const std::string tag = r == 0 ? "th scope=\"col\"" : table.is_left(c) ? "td class=\"word\"" : "td";
      html += "<" + tag + ">" + escaped(table.rows()[r][c]) + (r == 0 ? "</th>" : "</td>");
    }
    html += "</tr>\n";
  }
  return html + "</table></div>\n";
}

std::string details(const std::string& summary, const std::string& html) {
  return "<details><summary>" + escaped(summary) + "</summary>\n" + html + "</details>\n";
}

std::string figure(const std::string& id, const std::string& sentence, const std::string& table,
                   const std::string& still) {
  return "<figure id=\"figure-" + id + "\" class=\"figure\" data-sentence=\"" + escaped(sentence) + "\">" + still +
         "</figure>\n" + "<p class=\"caption\">" + escaped(sentence) + "</p>\n" + details("The same as a table", table);
}

std::string picture(const std::string& what, const std::string& png) {
  return "<img class=\"still\" alt=\"" + escaped(what) + "\" src=\"data:image/png;base64," + base64(png) + "\">\n";
}

}  // namespace scree
