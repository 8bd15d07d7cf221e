#include "completion.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <sstream>

#include "export.hpp"
#include "host/common/error.hpp"
#include "host/common/shell.hpp"
#include "host/common/suggest.hpp"
#include "host/engine/engine.hpp"
#include "host/model/model.hpp"

namespace scree {
namespace {

using Words = std::vector<std::string>;

/// What may follow an option, or stand for an operand.
struct Values {
  bool is_flag = false, are_files = false;
  Words words;
};

Words without_repetition(Words words) {
  std::ranges::sort(words);
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

template <class Names>
Words of_all_systems(const Names& names) {
  Words words;
  for (const Model& model : models()) names(words, model.description);
  return without_repetition(words);
}

Values values_of(const CLI::Option& option, const MoreWords& more) {
  const std::string name = option.get_positional() ? option.get_name(true) : "--" + option.get_lnames().front();
  if (!option.get_positional() && option.get_expected_max() == 0) return {true, false, {}};
  if (name == "SYSTEM")
    return {false, false, of_all_systems([](Words& words, const Description& d) { words.push_back(d.system); })};
  if (name == "--scheme" || name == "--schemes")
    return {false, false, of_all_systems([](Words& words, const Description& d) {
              for (const auto& scheme : d.schemes) words.push_back(scheme.name);
            })};
  if (name == "--columns")
    return {false, false, of_all_systems([](Words& words, const Description& d) {
              for (const Column& column : d.columns) words.push_back(column.name);
            })};
  if (name == "--backend" || name == "--backends")
    return {false, false, {"auto", "scalar", "pack", "cuda", "cuda:all"}};
  if (name == "--isa") return {false, false, isa_choices()};
  if (name == "--to") return {false, false, export_kinds()};
  for (const auto& [of, words] : more)
    if (of == &option) return {false, false, words};
  if (name == "SHELL") return {false, false, completing_shells()};
  const std::string type = option.get_type_name();
  const bool are_files = option.get_positional() || type.starts_with("FILE") || type.starts_with("RESULT");
  return {false, are_files, {}};
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

Words names_of(const CLI::Option& option) {
  Words names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

std::string spaced(const Words& words) { return joined(words, " "); }

/// The commands in a `case` of bash or zsh: the words that may follow an option there, those that are options, and
/// those that stand for an operand.
void print_cases(std::ostream& out, const CLI::App& app, const MoreWords& more) {
  for (const CLI::App* command : commands_of(app)) {
    Words options;
    std::string operands = "files";
    out << "    " << command->get_name() << ")\n      case \"$before\" in\n";
    for (const CLI::Option* option : command->get_options()) {
      const Values values = values_of(*option, more);
      if (option->get_positional()) {
        if (!values.are_files) operands = spaced(values.words);
        continue;
      }
      const Words names = names_of(*option);
      options.insert(options.end(), names.begin(), names.end());
      if (values.is_flag) continue;
      std::string pattern;
      for (const std::string& name : names) pattern += (pattern.empty() ? "" : "|") + name;
      out << "        " << pattern << ") follow=" << shell_word(values.are_files ? "files" : spaced(values.words))
          << "; needs=1 ;;\n";
    }
    const bool has_operands = !command->get_options([](const CLI::Option* o) { return o->get_positional(); }).empty();
    out << "      esac\n      options=" << shell_word(spaced(options))
        << "\n      operands=" << shell_word(has_operands ? operands : "") << "\n      ;;\n";
  }
}

/// A function of bash and zsh alike, which prints what may stand at the cursor: words, or "files".
void print_choice(std::ostream& out, const CLI::App& app, const MoreWords& more) {
  Words commands, top;
  for (const CLI::App* command : commands_of(app)) commands.push_back(command->get_name());
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : names_of(*option)) top.push_back(name);
  out << "# What may stand for the word $3, which follows the word $2, of the command $1.\n"
         "_scree_words() {\n"
         "  local before=\"$2\" word=\"$3\" follow='' needs='' options="
      << shell_word(spaced(top)) << " operands=" << shell_word(spaced(commands)) << "\n  case \"$1\" in\n";
  print_cases(out, app, more);
  out << "  esac\n"
         "  if [ -n \"$needs\" ]; then\n"
         "    echo \"$follow\"\n"
         "  elif [ \"${word#-}\" != \"$word\" ]; then\n"
         "    echo \"$options\"\n"
         "  else\n"
         "    echo \"$operands\"\n"
         "  fi\n"
         "}\n\n";
}

std::string for_bash(const CLI::App& app, const MoreWords& more) {
  std::ostringstream out;
  out << "# bash completion of scree, made by `scree completion bash`\n";
  print_choice(out, app, more);
  out << R"script(_scree() {
  local command='' word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" first='' words i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case "${COMP_WORDS[i]}" in -*) ;; *) command="${COMP_WORDS[i]}"; break ;; esac
  done
  words="$(_scree_words "$command" "$before" "$word")"
  COMPREPLY=()
  if [ "$words" = files ]; then
    compopt -o default 2>/dev/null
    return
  fi
  # Of a list the last one.
  case "$before:$word" in
    --*:*,*) first="${word%,*},"; word="${word##*,}" ;;
  esac
  while IFS= read -r i; do COMPREPLY+=("$i"); done < <(compgen -P "$first" -W "$words" -- "$word")
}
complete -F _scree scree
)script";
  return out.str();
}

std::string for_zsh(const CLI::App& app, const MoreWords& more) {
  std::ostringstream out;
  out << "#compdef scree\n# zsh completion of scree, made by `scree completion zsh`\n";
  print_choice(out, app, more);
  out << R"script(_scree() {
  local command='' before="${words[CURRENT-1]}" word="${words[CURRENT]}" all i
  for ((i = 2; i < CURRENT; ++i)); do
    case "${words[i]}" in -*) ;; *) command="${words[i]}"; break ;; esac
  done
  all="$(_scree_words "$command" "$before" "$word")"
  if [[ "$all" == files ]]; then
    _files
    return
  fi
  # Of a list the last one.
  if [[ "$before" == --* ]]; then compset -P '*,'; fi
  compadd -- ${(s: :)all}
}
if [ "$funcstack[1]" = _scree ]; then
  _scree "$@"
else
  compdef _scree scree
fi
)script";
  return out.str();
}

std::string for_fish(const CLI::App& app, const MoreWords& more) {
  std::ostringstream out;
  out << "# fish completion of scree, made by `scree completion fish`\ncomplete -c scree -f\n";
  const auto print = [&](const std::string& condition, const CLI::Option& option) {
    const Values values = values_of(option, more);
    const std::string begin = "complete -c scree -n " + shell_word(condition);
    if (option.get_positional()) {
      if (values.are_files)
        out << begin << " -F\n";
      else
        out << begin << " -a " << shell_word(spaced(values.words)) << '\n';
      return;
    }
    out << begin;
    for (const std::string& name : option.get_snames()) out << " -s " << name;
    for (const std::string& name : option.get_lnames()) out << " -l " << name;
    if (!values.is_flag) out << (values.are_files ? " -r -F" : " -x");
    if (!values.words.empty()) out << " -a " << shell_word(spaced(values.words));
    out << " -d " << shell_word(option.get_description()) << '\n';
  };
  for (const CLI::Option* option : app.get_options()) print("__fish_use_subcommand", *option);
  for (const CLI::App* command : commands_of(app)) {
    out << "complete -c scree -n __fish_use_subcommand -a " << command->get_name() << " -d "
        << shell_word(command->get_description()) << '\n';
    for (const CLI::Option* option : command->get_options())
      print("__fish_seen_subcommand_from " + command->get_name(), *option);
  }
  return out.str();
}

}  // namespace

const std::vector<std::string>& completing_shells() {
  static const Words shells{"bash", "zsh", "fish"};
  return shells;
}

std::string completion(const CLI::App& app, const std::string& shell, const MoreWords& more) {
  if (shell == "bash") return for_bash(app, more);
  if (shell == "zsh") return for_zsh(app, more);
  if (shell == "fish") return for_fish(app, more);
  throw Error(Exit::usage, "completion: unknown shell \"" + shell + "\"" + suggestion(shell, completing_shells()));
}

}  // namespace scree
