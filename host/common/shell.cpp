#include "shell.hpp"

#include "text_input.hpp"

namespace scree {

std::string shell_word(const std::string& word) {
  if (word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:") ==
      std::string::npos)
    return word;
  const std::string shown = printable(word);
  if (shown != word) {  // with control characters: as bash and zsh read them
    std::string safe = "$'";
    for (const char c : word) safe += c == '\'' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
    return printable(safe) + "'";
  }
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace scree
