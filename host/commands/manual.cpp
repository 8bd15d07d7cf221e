#include "manual.hpp"

#include <CLI/CLI.hpp>

#include <sstream>
#include <vector>

#include "host/common/version.hpp"

namespace scree {
namespace {

/// Text of any kind: nothing in it is for roff.
std::string roff(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n'))
      result += std::string("\\&") + c;
    else
      result += c;
  }
  return result;
}

std::string type_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return type.substr(0, type.find(':'));  // without what checks say
}

/// "CONFIG", "[SYSTEM]", "PARTS..." of a command.
std::string operands(const CLI::App& command) {
  std::string text;
  for (const CLI::Option* option : command.get_options([](const CLI::Option* o) { return o->get_positional(); })) {
    const std::string name = option->get_name(true) + (option->get_expected_max() > 1 ? "..." : "");
    text += (text.empty() ? "" : " ") + (option->get_required() ? name : "[" + name + "]");
  }
  return text;
}

void print_option(std::ostream& out, const CLI::Option& option) {
  const bool is_operand = option.get_positional();
  std::string names;
  for (const std::string& name : option.get_snames()) names += (names.empty() ? "-" : ", -") + name;
  for (const std::string& name : option.get_lnames()) names += (names.empty() ? "--" : ", --") + name;
  if (is_operand) names = option.get_name(true);
  const std::string type = is_operand || option.get_expected_max() == 0 ? "" : type_of(option);
  out << ".TP\n\\fB" << roff(names) << "\\fR" << (type.empty() ? "" : " \\fI" + roff(type) + "\\fR") << '\n'
      << roff(option.get_description());
  if (option.get_required() && !is_operand) out << "; required";
  if (!option.get_default_str().empty()) out << " [" << roff(option.get_default_str()) << ']';
  out << '\n';
}

struct Example {
  const char *commands, *meaning;
};
constexpr Example examples[] = {
    {"scree init rock > my.toml\nscree run my.toml --scheme implicit -o my.h5\nscree info my.h5 --all",
     "A config with every default, its thousand rocks, and all that is known of them."},
    {"scree compare my.toml --schemes explicit,implicit --step-error -o both.h5\nscree report both.h5",
     "The same rocks under two schemes: how far they differ, how much of that is the time step's, and a page to open "
     "in "
     "a browser."},
    {"scree run my.toml --scheme implicit --until \"p95(runout) +- 1 %\" -o enough.h5",
     "As many rocks as a run-out with an error of one percent takes."},
    {"scree compare my.toml --schemes implicit --arms rock.ground=soft,medium,hard", "The same rocks on three grounds."},
    {"scree replay my.h5 --sample 17 --every 0.1 -o path.csv", "The path of one rock, ten rows a second."},
    {"scree export my.h5 --to geotiff -o layers", "Its maps, for QGIS."},
    {"scree run my.toml --scheme implicit --shard 17/1000 --resume -o big.h5\nscree merge big.h5.shards -o big.h5",
     "One of a thousand parts of a run, as a batch system starts them, and all of them put together."},
    {"scree build my_pendulum.hpp -o my_scree && ./my_scree run pendulum.toml",
     "A program with a system of one's own."},
};

}  // namespace

std::string manual(const CLI::App& app) {
  std::ostringstream out;
  const auto section = [&](const char* name) { out << ".SH " << name << '\n'; };
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  out << ".TH SCREE 1 \"" SCREE_DATE "\" \"scree " SCREE_VERSION "\" \"User Commands\"\n";
  section("NAME");
  out << "scree \\- ensembles of small mechanical systems, with error bars and the same bits everywhere\n";
  section("SYNOPSIS");
  bool first = true;
  for (const CLI::App* command : commands) {
    const std::string what = operands(*command);
    out << (first ? "" : ".br\n") << "\\fBscree " << roff(command->get_name()) << "\\fR "
        << (what.empty() ? "" : "\\fI" + roff(what) + "\\fR ") << "[\\fIoptions\\fR]\n";
    first = false;
  }
  section("DESCRIPTION");
  out << "\\fBscree\\fR runs ensembles of small mechanical systems, as rocks that fall down a slope, and tells what "
         "they "
         "say:\nwhere they stop, with which energy, each number with its error bar.\nSchemes of integration are "
         "compared "
         "on the same samples.\nSample number i has the same bits on one thread or many, on any processor and any "
         "GPU.\n"
         ".PP\nData go to stdout, everything else to stderr.\n";
  section("COMMANDS");
  for (const CLI::App* command : commands) {
    const std::string what = operands(*command);
    out << ".SS " << roff(command->get_name()) << (what.empty() ? "" : " " + roff(what)) << '\n'
        << roff(command->get_description()) << '\n';
    for (const bool is_operand : {true, false})
      for (const CLI::Option* option : command->get_options())
        if (option->get_positional() == is_operand && option->get_name() != "--help") print_option(out, *option);
  }
  section("OPTIONS");
  for (const CLI::Option* option : app.get_options()) print_option(out, *option);
  section("EXIT STATUS");
  constexpr Example codes[] = {{"0", "done"},
                               {"1", "failed"},
                               {"2", "a mistake on the command line or in the config"},
                               {"3", "a mistake in input data"},
                               {"4", "device or memory"},
                               {"5", "a target was not reached; the result is written all the same"},
                               {"130", "interrupted; what was finished is saved"}};
  for (const Example& code : codes) out << ".TP\n\\fB" << code.commands << "\\fR\n" << code.meaning << '\n';
  section("ENVIRONMENT");
  constexpr Example variables[] = {
      {"SCREE_DATA", "the folder that the paths of files in configs begin in; if not set, that of the config"},
      {"SCREE_TABLE_MEMORY", "bytes of summaries beyond which they lie in a file beside the result"},
      {"NO_COLOR", "if not empty, no colours; nor with TERM=dumb"},
      {"XDG_CACHE_HOME",
       "the folder in which \\fBscree build\\fR compiles, in \\fBscree\\fR there; if not set, "
       "\\fB~/.cache\\fR"},
      {"CXX", "the compiler that \\fBscree build\\fR takes"}};
  for (const Example& variable : variables)
    out << ".TP\n\\fB" << variable.commands << "\\fR\n" << variable.meaning << '\n';
  section("EXAMPLES");
  first = true;
  for (const Example& example : examples) {
    out << (first ? "" : ".PP\n") << roff(example.meaning) << "\n.PP\n.nf\n";
    std::istringstream lines(example.commands);
    for (std::string line; std::getline(lines, line);) out << "    " << roff(line) << '\n';
    out << ".fi\n";
    first = false;
  }
  std::string text = out.str();
  text.pop_back();  // CLI11 ends the line
  return text;
}

}  // namespace scree
