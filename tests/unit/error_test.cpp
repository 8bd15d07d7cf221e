// The line of an Error may quote a file; it is printable all the same.
#include "host/common/error.hpp"

#include <gtest/gtest.h>

namespace scree {
namespace {

TEST(Error, IsOnePrintableLine) {
  EXPECT_STREQ(Error(Exit::input, "a.asc:3: '\x1b[2J' is not a finite number").what(),
               "a.asc:3: '\\x1b[2J' is not a finite number");
  EXPECT_STREQ(Error(Exit::input, "two\nlines\r\t\x7f").what(), "two\\x0alines\\x0d\\x09\\x7f");
  EXPECT_STREQ(Error(Exit::input, std::string_view("a\0b", 3)).what(), "a\\x00b");
}

TEST(Printable, HidesTheControlCharactersOfUtf8AndLeavesItsLetters) {
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J"),
            "\\xc2\\x9b2J");
  EXPECT_EQ(printable("\xc2\xa0\xc3\xa9 \xc2"), "\xc2\xa0\xc3\xa9 \\xc2");
}

}  // namespace
}  // namespace scree
