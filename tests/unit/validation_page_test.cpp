// docs/validation.md, which docs/validation.py writes, is of the claims that the program makes.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "host/verify/baseline.hpp"

namespace scree {
namespace {

/// A claim that differs has a row in the first table, one that agrees has one below it.
TEST(ValidationPage, HasEveryClaimWhereItsVerdictBelongs) {
  std::ifstream file(SCREE_SOURCE_DIR "/docs/validation.md");
  ASSERT_TRUE(file) << "run docs/validation.py";
  std::ostringstream text;
  text << file.rdbuf();
  const std::string page = text.str();
  const std::size_t first = page.find("## What does not agree"), rest = page.find("\n## ", first + 1);
  ASSERT_NE(rest, std::string::npos);
  const std::string differing = page.substr(first, rest - first), agreeing = page.substr(rest);
  const Baseline baseline = Baseline::embedded();
  for (const JudgedClaim& row : baseline.rows()) {
    std::string cell;
    for (const char c : row.claim) cell += c == '|' ? std::string("\\|") : std::string(1, c);
    const bool is_there = (row.agrees ? agreeing : differing).find("| " + cell + " |") != std::string::npos;
    EXPECT_TRUE(is_there) << row.group << ": " << row.claim << ": run docs/validation.py";
  }
  EXPECT_GT(baseline.rows().size(), 200u);
}

}  // namespace
}  // namespace scree
