// replay's --samples and --every: a line each.
#include "host/commands/selection.hpp"
#include "harness.hpp"
#include "host/common/error.hpp"
#include "host/common/text_input.hpp"

namespace scree::fuzz::of_selection {
namespace {

void feed(std::string_view input) {
  LineReader lines(input);
  for (std::string_view line; lines.next(line);) {
    try {
      Spaced spaced(parse_spacing(std::string(line)));
      for (int i = 0; i < 10; ++i) spaced.takes(0.1 * i);
    } catch (const Error& error) {
      require_line(error.what());
    }
    try {
      const Selection selection = in_time([&] { return parse_selection("--samples", std::string(line)); });
      for (const std::uint64_t i : in_time([&] { return selected("x.h5", selection, 0, 1000); }))
        if (i >= 1000) throw Broken("sample " + std::to_string(i) + " of 1000");
    } catch (const Error& error) {
      require_line(error.what());
    }
  }
}

const Registered registered({"selection", feed});

}  // namespace
}  // namespace scree::fuzz::of_selection
