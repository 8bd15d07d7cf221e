#include "ptx_check.hpp"

#include <algorithm>
#include <set>
#include <sstream>

namespace scree::test {
namespace {

struct Instruction {
  int line;
  std::string text;                // without its predicate
  std::vector<std::string> parts;  // of the opcode: "fma", "rn", "f64"

  bool has(const std::string& part) const { return std::find(parts.begin(), parts.end(), part) != parts.end(); }
};

std::string trimmed(const std::string& text) {
  const auto from = text.find_first_not_of(" \t\r\n");
  if (from == std::string::npos) return "";
  return text.substr(from, text.find_last_not_of(" \t\r\n") - from + 1);
}

/// "@%p1 fma.rn.f64 %fd1, %fd2" -> fma, rn, f64 and the text from fma on.
Instruction parse(int line, std::string text) {
  if (text.starts_with("@")) text = trimmed(text.substr(std::min(text.find_first_of(" \t"), text.size())));
  Instruction instruction{line, text, {}};
  std::istringstream opcode(text.substr(0, text.find_first_of(" \t(")));
  for (std::string part; std::getline(opcode, part, '.');) instruction.parts.push_back(part);
  return instruction;
}

/// min(a, c) = (a < c ? a : c) and max(a, c) = (a > c ? a : c) for every a, NaN and both zeros included?
bool is_select(const std::string& text, bool maximum) {
  const auto at = text.rfind("0d");
  if (at == std::string::npos) return false;
  const std::string bits = text.substr(at + 2, 16);
  const unsigned long long c = std::stoull(bits, nullptr, 16), size = c & 0x7fffffffffffffffull;
  if (size > 0x7ff0000000000000ull) return false;   // a NaN
  if (size == 0) return maximum == (c >> 63 == 0);  // max(a, +0), min(a, -0)
  return true;
}

/// The name after `call`, its modifiers and the parenthesis of results; empty for a call through a register.
std::string called(const std::string& text) {
  std::string rest = trimmed(text.substr(std::min(text.find_first_of(" \t"), text.size())));
  if (rest.starts_with("(")) rest = trimmed(rest.substr(rest.find(')') + 1));
  if (rest.starts_with(",")) rest = trimmed(rest.substr(1));
  const std::string name = trimmed(rest.substr(0, rest.find_first_of(",; \t(")));
  return name.starts_with("%") ? "" : name;
}

std::string fault_of(const Instruction& in) {
  static const std::set<std::string> rounding = {"add", "sub", "mul", "fma", "mad", "div", "rcp", "sqrt"};
  static const std::set<std::string> inexact = {"ex2", "lg2", "sin", "cos", "tanh", "rsqrt"};
  static const std::set<std::string> moving = {"mov", "ld", "st", "ldu"};
  const std::string& what = in.parts.front();
  if (in.has("approx")) return "approximate";
  if (in.has("ftz")) return "flushes denormals";
  if (inexact.contains(what)) return "not defined to the last bit";
  for (const char* narrow : {"f32", "f16", "f16x2", "bf16", "bf16x2", "tf32"})
    if (in.has(narrow) && !moving.contains(what)) return "not double precision";
  if (what == "call") {
    const std::string name = called(in.text);
    const bool known = name.find("5scree") != std::string::npos || name.find("3cub") != std::string::npos;
    if (name.starts_with("__") || !known) return "calls a function that is not ours";
  }
  if (!in.has("f64")) return "";
  if (rounding.contains(what) && !in.has("rn")) return "does not say .rn";
  if (what == "atom" || what == "red") return "atomic on f64";
  if ((what == "min" || what == "max") && !is_select(in.text, what == "max")) return "not the same as select";
  return "";
}

}  // namespace

PtxReport check_ptx(std::istream& ptx) {
  PtxReport report;
  std::string pending;
  int number = 0, started = 0;
  for (std::string line; std::getline(ptx, line);) {
    ++number;
    line = trimmed(line.substr(0, line.find("//")));
    if (const auto at = line.find(".entry "); at != std::string::npos)
      report.entries.push_back(trimmed(line.substr(at + 7, line.find('(') - at - 7)));
    if (line.starts_with("$")) line = trimmed(line.substr(std::min(line.find(':'), line.size() - 1) + 1));  // a label
    const bool directive = pending.empty() && (line.empty() || line.front() == '.');
    if (directive || line == "{" || line == "}") continue;
    if (pending.empty()) started = number;
    pending += " " + line;
    for (auto end = pending.find(';'); end != std::string::npos; end = pending.find(';')) {
      std::string text = trimmed(pending.substr(0, end));
      pending = trimmed(pending.substr(end + 1));
      while (text.starts_with("{") || text.starts_with("}")) text = trimmed(text.substr(1));
      if (text.empty() || text.front() == '.') continue;
      const Instruction instruction = parse(started, text);
      if (instruction.parts.empty()) continue;
      if (instruction.parts == std::vector<std::string>{"fma", "rn", "f64"}) ++report.fused;
      if (const std::string fault = fault_of(instruction); !fault.empty())
        report.faults.push_back("line " + std::to_string(started) + ": " + fault + ": " + instruction.text);
    }
    // The heads of entries and functions, and their parameters, end in parentheses and braces, not in semicolons.
    if (pending.starts_with(".") || pending == ")" || pending == "}" || pending == "{" || pending == "(")
      pending.clear();
  }
  return report;
}

}  // namespace scree::test
