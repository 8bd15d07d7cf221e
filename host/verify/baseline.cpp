#include "baseline.hpp"

#include <algorithm>

#include "embedded_baseline.hpp"
#include "host/common/csv.hpp"
#include "host/common/error.hpp"
#include "host/common/text_table.hpp"

namespace scree {
namespace {

std::string name_of(const JudgedClaim& row) { return row.group + ": " + row.claim; }

bool same(const JudgedClaim& a, const JudgedClaim& b) { return a.group == b.group && a.claim == b.claim; }

bool holds(const std::vector<JudgedClaim>& rows, const JudgedClaim& row) {
  return std::any_of(rows.begin(), rows.end(), [&](const JudgedClaim& other) { return same(row, other); });
}

}  // namespace

const char* verdict_of(bool agrees) { return agrees ? "agrees" : "differs"; }

Baseline Baseline::parse(const std::string& text, const std::string& path) {
  const CsvTable table = parse_csv(text, path);
  if (table.names != std::vector<std::string>{"group", "claim", "verdict"})
    throw Error(Exit::input, path + ": has other columns than group,claim,verdict");
  Baseline baseline;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const std::string& verdict = table.rows[i][2];
    if (verdict != verdict_of(true) && verdict != verdict_of(false))
      throw Error(Exit::input, table.where(i) + ": verdict = '" + verdict + "', must be agrees or differs");
    const JudgedClaim row{table.rows[i][0], table.rows[i][1], verdict == verdict_of(true)};
    if (holds(baseline.rows_, row)) throw Error(Exit::input, table.where(i) + ": " + name_of(row) + ", is there twice");
    baseline.rows_.push_back(row);
  }
  return baseline;
}

Baseline Baseline::embedded() { return parse(embedded_baseline(), "host/verify/baseline.csv"); }

std::optional<bool> Baseline::agreed(const std::string& group, const std::string& claim) const {
  for (const JudgedClaim& row : rows_)
    if (row.group == group && row.claim == claim) return row.agrees;
  return std::nullopt;
}

Baseline Baseline::with(const std::vector<std::string>& groups, const std::vector<JudgedClaim>& found) const {
  std::vector<JudgedClaim> rows;
  std::vector<std::string> written;
  const auto write = [&](const std::string& group) {
    if (std::find(written.begin(), written.end(), group) != written.end()) return;
    written.push_back(group);
    std::copy_if(found.begin(), found.end(), std::back_inserter(rows),
                 [&](const JudgedClaim& row) { return row.group == group; });
  };
  for (const JudgedClaim& row : rows_)
    if (std::find(groups.begin(), groups.end(), row.group) == groups.end())
      rows.push_back(row);
    else
      write(row.group);
  for (const std::string& group : groups) write(group);
  return Baseline(rows);
}

std::string Baseline::csv() const {
  std::string text = "group,claim,verdict\n";
  for (const JudgedClaim& row : rows_)
    text += row.group + "," + csv_quoted(row.claim) + "," + verdict_of(row.agrees) + "\n";
  return text;
}

Changes changes(const Baseline& baseline, const std::vector<std::string>& groups,
                const std::vector<JudgedClaim>& found) {
  Changes changes;
  for (const JudgedClaim& row : found) {
    const std::optional<bool> before = baseline.agreed(row.group, row.claim);
    if (!before)
      changes.missing.push_back(name_of(row));
    else if (*before != row.agrees)
      (row.agrees ? changes.mended : changes.broken).push_back(name_of(row));
  }
  for (const JudgedClaim& row : baseline.rows())
    if (std::find(groups.begin(), groups.end(), row.group) != groups.end() && !holds(found, row))
      changes.stale.push_back(name_of(row));
  return changes;
}

std::string Changes::failure() const {
  std::string text;
  const auto add = [&](const std::vector<std::string>& claims, const std::string& one, const std::string& many) {
    if (claims.empty()) return;
    text += (text.empty() ? "" : "; ") + counted(claims.size(), one, many) + ": ";
    for (const std::string& claim : claims) text += (&claim == &claims.front() ? "" : ", ") + ('"' + claim + '"');
  };
  add(broken, "claim that agreed differs now", "claims that agreed differ now");
  add(missing, "claim is not in the baseline", "claims are not in the baseline");
  add(stale, "row of the baseline has no claim", "rows of the baseline have no claim");
  return text;
}

}  // namespace scree
