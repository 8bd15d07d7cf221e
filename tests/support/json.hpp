// nlohmann::json, whose functions are compiled once for all tests: a copy in each source would take up to a quarter of
// what that takes to compile.
#pragma once

#include <nlohmann/json.hpp>

extern template class nlohmann::basic_json<>;
