// What is shown in place of characters that a terminal would obey, and words for a shell.
#include <gtest/gtest.h>

#include "host/common/shell.hpp"
#include "host/common/text_input.hpp"

namespace scree {
namespace {

TEST(Printable, ShowsControlCharactersAndBytesThatAreNoText) {
  EXPECT_EQ(printable("Tschamut, 46.66 N \u00e4 \u2264 \U0001F3D4"), "Tschamut, 46.66 N \u00e4 \u2264 \U0001F3D4");
  EXPECT_EQ(printable("\x1b[2J\t\n\x7f"), "\\x1b[2J\\x09\\x0a\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J"),
            "\\xc2\\x9b2J");                                     // U+009B, which may stand for ESC [
  EXPECT_EQ(printable("\xc2\xa0\xc3\x9b"), "\xc2\xa0\xc3\x9b");  // a blank and a letter
  EXPECT_EQ(printable("caf\xe9"), "caf\\xe9");
  EXPECT_EQ(printable("\xc0\x9b \xe0\x82\x9b \xf0\x80\x82\x9b"), "\\xc0\\x9b \\xe0\\x82\\x9b \\xf0\\x80\\x82\\x9b")
      << "longer than they need be";
  EXPECT_EQ(printable("\xed\xa0\x80 \xf4\x90\x80\x80 \xe2\x82"), "\\xed\\xa0\\x80 \\xf4\\x90\\x80\\x80 \\xe2\\x82");
  EXPECT_EQ(printable(printable("\x1b")), "\\x1b");
}

TEST(Characters, AreNotCut) {
  const std::string rock = "a\U0001F600\u00e4";  // 1, 4 and 2 bytes
  const std::size_t fit[] = {0, 1, 1, 1, 1, 5, 5, 7, 7};
  for (std::size_t bytes = 0; bytes < std::size(fit); ++bytes) EXPECT_EQ(front_of(rock, bytes), rock.substr(0, fit[bytes]));
  const std::size_t ends[] = {0, 0, 2, 2, 2, 2, 6, 7, 7};
  for (std::size_t bytes = 0; bytes < std::size(ends); ++bytes)
    EXPECT_EQ(back_of(rock, bytes), rock.substr(rock.size() - ends[bytes]));
  EXPECT_EQ(front_of("\x80\x80\x80\x80\x80\x80\x80", 6).size(), 2u) << "what is no text ends somewhere";
}

TEST(ShellWord, IsOneWord) {
  EXPECT_EQ(shell_word("configs/rock_ramp.toml"), "configs/rock_ramp.toml");
  EXPECT_EQ(shell_word("rk4; rm -r x"), "'rk4; rm -r x'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word("it's \\ \x1b[2J"), "$'it\\'s \\\\ \\x1b[2J'");
}

}  // namespace
}  // namespace scree
