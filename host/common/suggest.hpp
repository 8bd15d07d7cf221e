// "did you mean": the nearest of the names that are known.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace scree {

/// How many letters must be inserted, deleted, replaced or swapped with their neighbour to make `a` of `b`.
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), row(b.size() + 1), next(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    next[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      next[j] = std::min({row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        next[j] = std::min(next[j], before[j - 2] + 1);
    }
    before.swap(row);
    row.swap(next);
  }
  return row[b.size()];
}

/// The known name that `word` most likely means, rather one that it begins; empty if none is near (more than a third of
/// the letters wrong).
inline std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  std::string best;
  std::size_t least = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& name : known) {
    const std::size_t distance = word.size() > 2 && name.starts_with(word) ? 1 : edit_distance(word, name);
    if (distance < least) {
      least = distance;
      best = name;
    }
  }
  return best;
}

/// "a, b, c".
inline std::string joined(const std::vector<std::string>& names, std::string_view between = ", ") {
  std::string text;
  for (const std::string& name : names) (text.empty() ? text : text += between) += name;
  return text;
}

/// `, did you mean "medium"?` if a name is near, else `, must be one of medium, soft`.
inline std::string suggestion(std::string_view word, const std::vector<std::string>& known) {
  const std::string near = nearest(word, known);
  if (!near.empty()) return ", did you mean \"" + near + "\"?";
  return known.empty() ? ", nothing is allowed here" : ", must be one of " + joined(known);
}

}  // namespace scree
