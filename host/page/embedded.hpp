// What a page carries along (cmake/Page.cmake): its script and style, d3, and the terms under which d3 is used.
#pragma once

#include <string_view>

namespace scree {

/// Empty in a program that was built without it.
extern const std::string_view embedded_d3;
extern const std::string_view embedded_page_js, embedded_page_css, embedded_licences;

}  // namespace scree
