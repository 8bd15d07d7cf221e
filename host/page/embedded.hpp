// What a page carries along (cmake/Page.cmake): its scripts and style, d3, three with its orbit
// controls, and the terms under which these are used.
#pragma once

#include <string_view>

namespace scree {

/// Empty in a program that was built without it.
extern const std::string_view embedded_d3, embedded_three;
extern const std::string_view embedded_page_js, embedded_page_css, embedded_licences;

}  // namespace scree
