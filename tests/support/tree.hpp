// How much there is in the tree: a loop over files that are found compares these many, not as many as it happens to
// find.
#pragma once

namespace scree::test {

inline constexpr int configs_in_the_tree = 43;  // a new config counts here

}  // namespace scree::test
