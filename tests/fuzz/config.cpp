// A whole config, and a run of it. Lines that begin with `#--set ` are laid over it.
#include "harness.hpp"
#include "host/common/text_input.hpp"

namespace scree::fuzz::of_config {
namespace {

void feed(std::string_view input) {
  std::vector<std::string> overlays;
  LineReader lines(input);
  for (std::string_view line; lines.next(line);)
    if (constexpr std::string_view mark = "#--set "; line.starts_with(mark))
      overlays.push_back("--set:" + std::string(line.substr(mark.size())));
  read_and_run(std::string(input), overlays);
}

const Registered registered({"config", feed});

}  // namespace
}  // namespace scree::fuzz::of_config
