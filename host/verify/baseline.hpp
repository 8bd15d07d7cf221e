// What each claim did before: `scree verify` fails where one that agreed differs now.
//
// host/verify/baseline.csv, which the program carries along, has a row for every claim,
//
//   group,claim,verdict
//   rotor,"(a) the explicit rotor leaves rotation about e3",agrees
//
// and claims and rows must match one to one, so that it cannot rot.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace scree {

/// "agrees" or "differs".
const char* verdict_of(bool agrees);

/// One claim by its group and its words, and whether it agrees or did.
struct JudgedClaim {
  std::string group, claim;
  bool agrees;
};

class Baseline {
 public:
  Baseline() = default;
  explicit Baseline(std::vector<JudgedClaim> rows) : rows_(std::move(rows)) {}
  /// Of a CSV text. Throws Error(Exit::input), with the file's name and the line, for other columns than these, another
  /// verdict than these two, and a claim that is there twice.
  static Baseline parse(const std::string& text, const std::string& path);
  /// host/verify/baseline.csv when the program was built.
  static Baseline embedded();

  /// Whether a claim agreed; nothing if it is not there.
  std::optional<bool> agreed(const std::string& group, const std::string& claim) const;
  const std::vector<JudgedClaim>& rows() const { return rows_; }
  /// This one with all rows of `groups` replaced by `found`, each group where it was, new ones last.
  Baseline with(const std::vector<std::string>& groups, const std::vector<JudgedClaim>& found) const;
  /// The text that `parse` reads.
  std::string csv() const;

 private:
  std::vector<JudgedClaim> rows_;
};

/// Claims against a baseline: "ramp: implicit: longer run-out", each.
struct Changes {
  std::vector<std::string> broken;   // agreed, and differ now
  std::vector<std::string> mended;   // differed, and agree now
  std::vector<std::string> missing;  // are not in the baseline
  std::vector<std::string> stale;    // in the baseline, and no claim of a group that ran
  /// Broken, missing and stale ones in one line for standard error; empty if there are none.
  std::string failure() const;
};

/// Of the groups that ran to their end.
Changes changes(const Baseline& baseline, const std::vector<std::string>& groups, const std::vector<JudgedClaim>& found);

}  // namespace scree
