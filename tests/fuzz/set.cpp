// --set: the first line names a system, each of the others is laid over its study.
#include "harness.hpp"
#include "host/common/error.hpp"
#include "host/common/text_input.hpp"

namespace scree::fuzz::of_set {
namespace {

void feed(std::string_view input) {
  LineReader lines(input);
  std::string_view line;
  if (!lines.next(line)) return;
  const std::string config = study(std::string(line));
  if (config.empty()) return;
  std::vector<std::string> overlays;
  while (lines.next(line)) overlays.push_back("--set:" + std::string(line));
  read_and_run(config, overlays);
}

const Registered registered({"set", feed});

}  // namespace
}  // namespace scree::fuzz::of_set
