#include "ptx_machine.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <unordered_map>

namespace scree::test {

/// A call of a function. Its slots are its registers and constants and the addresses of its parameters and arrays, each
/// 64 bits, whatever its type takes of them.
struct Frame {
  const PtxFunction& function;
  std::uint64_t* slots;
  const struct Instruction* next;
};

/// `at` are slots: of an assignment first where it goes, then where its operands are.
struct Instruction {
  void (*run)(Frame&, const Instruction&);
  std::array<int, 5> at{};
  int line = 0;
  std::int64_t offset = 0;  // of an address; of a branch, in instructions from the next; of a call, its number
};

struct PtxFunction {
  struct Call {
    const PtxFunction* function;
    std::vector<int> arguments;  // slots of their addresses
    int result = -1;             // or of what it returns
  };
  struct Array {
    int slot;  // of its address
    std::size_t size;
  };
  bool entry = false;
  std::vector<Instruction> code;
  std::vector<Call> calls;
  std::vector<std::uint64_t> start;  // what the slots hold at first
  std::vector<Array> arrays;
  std::vector<int> parameters;  // slots of their addresses
  int result = -1;              // the slot of its address
  std::size_t bytes = 0;

  void call(const PtxThread& thread, void* const* arguments, void* returned) const;
};

namespace {

constexpr std::size_t alignment = 16;  // of arrays
constexpr int tid = 0, ntid = 1, ctaid = 2, first_slot = 3;
/// What nothing has been written to, a NaN: a kernel that computes with it does not have the CPU's bits.
constexpr std::uint64_t unset = ~std::uint64_t{0};

[[noreturn]] void fail(int line, const std::string& what) {
  throw std::runtime_error("PTX, line " + std::to_string(line) + ": " + what);
}

// ---------------------------------------------------------------------------------------------------------------------
// Instructions

template <class T>
T get(const Frame& frame, int slot) {
  if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<double>(frame.slots[slot]);
  else
    return static_cast<T>(frame.slots[slot]);
}
template <class T>
void set(Frame& frame, int slot, T value) {
  if constexpr (std::is_same_v<T, double>)
    frame.slots[slot] = std::bit_cast<std::uint64_t>(value);
  else if constexpr (std::is_signed_v<T>)
    frame.slots[slot] = static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  else
    frame.slots[slot] = value;
}

/// What arithmetic gives. Which NaN is a choice: no result may depend on it.
double rounded(double x) { return x == x ? x : std::bit_cast<double>(std::uint64_t{0x7fffffffffffffff}); }

/// What an opcode does, and with how many operands.
struct Operation {
  void (*run)(Frame&, const Instruction&);
  std::size_t operands;
};

template <class To, class From, auto f>
constexpr Operation unary{
    [](Frame& frame, const Instruction& i) { set<To>(frame, i.at[0], static_cast<To>(f(get<From>(frame, i.at[1])))); },
    2};
template <class To, class From, auto f>
constexpr Operation binary{[](Frame& frame, const Instruction& i) {
                             set<To>(frame, i.at[0],
                                     static_cast<To>(f(get<From>(frame, i.at[1]), get<From>(frame, i.at[2]))));
                           },
                           3};
/// Of whole numbers; none by 0, nor of what has no negative by -1.
template <class T, auto f>
constexpr Operation division{[](Frame& frame, const Instruction& i) {
                               const T x = get<T>(frame, i.at[1]), y = get<T>(frame, i.at[2]);
                               if (y == 0 || (std::is_signed_v<T> && y == static_cast<T>(-1)))
                                 fail(i.line, "a division that is not defined");
                               set<T>(frame, i.at[0], f(x, y));
                             },
                             3};
template <class T>
void shift_left(Frame& frame, const Instruction& i) {
  const auto by = get<std::uint32_t>(frame, i.at[2]);
  set<T>(frame, i.at[0], by >= 8 * sizeof(T) ? T{0} : static_cast<T>(get<T>(frame, i.at[1]) << by));
}
template <class T>
void shift_right(Frame& frame, const Instruction& i) {
  const auto by = std::min<std::uint32_t>(get<std::uint32_t>(frame, i.at[2]), 8 * sizeof(T));
  const T x = get<T>(frame, i.at[1]);
  set<T>(frame, i.at[0], by < 8 * sizeof(T) ? static_cast<T>(x >> by) : x < T{0} ? static_cast<T>(-1) : T{0});
}
/// Bits of the first operand into the second: from which position, how many.
template <class T>
void insert_bits(Frame& frame, const Instruction& i) {
  const auto position = get<std::uint32_t>(frame, i.at[3]) & 0xff, length = get<std::uint32_t>(frame, i.at[4]) & 0xff;
  constexpr std::uint32_t bits = 8 * sizeof(T);
  const T into = get<T>(frame, i.at[2]);
  if (position >= bits || length == 0) return set<T>(frame, i.at[0], into);
  const T ones = length >= bits ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << length) - 1);
  const T mask = static_cast<T>(ones << position);
  set<T>(frame, i.at[0], static_cast<T>((into & ~mask) | ((get<T>(frame, i.at[1]) << position) & mask)));
}
template <class T>
void multiply_add(Frame& frame, const Instruction& i) {
  using Wide = std::make_unsigned_t<T>;
  set<T>(frame, i.at[0],
         static_cast<T>(static_cast<std::uint64_t>(get<Wide>(frame, i.at[1])) * get<Wide>(frame, i.at[2]) +
                        get<Wide>(frame, i.at[3])));
}
template <class T>
void select(Frame& frame, const Instruction& i) {
  set<T>(frame, i.at[0], get<T>(frame, get<bool>(frame, i.at[3]) ? i.at[1] : i.at[2]));
}
void fused(Frame& frame, const Instruction& i) {
  const double x = get<double>(frame, i.at[1]), y = get<double>(frame, i.at[2]), z = get<double>(frame, i.at[3]);
  set(frame, i.at[0], rounded(std::fma(x, y, z)));
}
void unfused(Frame& frame, const Instruction& i) {
  const double x = get<double>(frame, i.at[1]), y = get<double>(frame, i.at[2]), z = get<double>(frame, i.at[3]);
  set(frame, i.at[0], rounded(x * y + z));
}

double smaller(double a, double b) {  // a NaN loses, and -0 is below 0
  if (a != a || b != b) return a != a ? rounded(b) : a;
  return a == b ? std::bit_cast<double>(std::bit_cast<std::uint64_t>(a) | std::bit_cast<std::uint64_t>(b))
                : std::min(a, b);
}
double larger(double a, double b) { return a != a && b != b ? rounded(a) : -smaller(-a, -b); }

/// Towards zero; what does not fit becomes the nearest that does, and a NaN the highest bit alone.
template <class T>
T truncated(double x) {
  if (x != x) return static_cast<T>(std::uint64_t{1} << (8 * sizeof(T) - 1));
  const double end = std::ldexp(1.0, std::numeric_limits<T>::digits);
  if (x >= end) return std::numeric_limits<T>::max();
  if (x <= (std::is_signed_v<T> ? -end : 0.0)) return std::numeric_limits<T>::min();
  return static_cast<T>(x);
}

template <class T, std::size_t count>
unsigned char* address(Frame& frame, const Instruction& i, int slot) {
  const std::uint64_t place = frame.slots[slot] + static_cast<std::uint64_t>(i.offset);
  if (place % (sizeof(T) * count) != 0) fail(i.line, "an access that is not aligned");
  return reinterpret_cast<unsigned char*>(place);
}
/// The last slot is that of the address.
template <class T, std::size_t count>
void load(Frame& frame, const Instruction& i) {
  const unsigned char* from = address<T, count>(frame, i, i.at[count]);
  for (std::size_t k = 0; k < count; ++k) {
    T value;
    std::memcpy(&value, from + k * sizeof(T), sizeof(T));
    set<T>(frame, i.at[k], value);
  }
}
/// The first slot is.
template <class T, std::size_t count>
void store(Frame& frame, const Instruction& i) {
  unsigned char* to = address<T, count>(frame, i, i.at[0]);
  for (std::size_t k = 0; k < count; ++k) {
    const T value = get<T>(frame, i.at[k + 1]);
    std::memcpy(to + k * sizeof(T), &value, sizeof(T));
  }
}

/// What was there before.
template <class T>
void atomic_add(Frame& frame, const Instruction& i) {
  T& there = *reinterpret_cast<T*>(address<T, 1>(frame, i, i.at[1]));
  set<T>(frame, i.at[0], std::atomic_ref<T>(there).fetch_add(get<T>(frame, i.at[2])));
}

void go(Frame& frame, const Instruction& i) { frame.next += i.offset; }
void go_if(Frame& frame, const Instruction& i) {
  if (get<bool>(frame, i.at[0])) frame.next += i.offset;
}
void go_unless(Frame& frame, const Instruction& i) {
  if (!get<bool>(frame, i.at[0])) frame.next += i.offset;
}
void leave(Frame& frame, const Instruction&) { frame.next = nullptr; }
void call(Frame& frame, const Instruction& i) {
  const PtxFunction::Call& call = frame.function.calls[static_cast<std::size_t>(i.offset)];
  const auto pointer = [&](int slot) { return reinterpret_cast<void*>(frame.slots[slot]); };
  std::vector<void*> arguments;
  for (const int slot : call.arguments) arguments.push_back(pointer(slot));
  const auto special = [&](int slot) { return get<std::uint32_t>(frame, slot); };
  call.function->call({special(tid), special(ntid), special(ctaid)}, arguments.data(),
                      call.result < 0 ? nullptr : pointer(call.result));
}

using Table = std::unordered_map<std::string, Operation>;

template <class T>
void add_accesses(Table& table, const std::string& type) {
  table["ld." + type] = {load<T, 1>, 2};
  table["st." + type] = {store<T, 1>, 2};
  table["ld.v2." + type] = {load<T, 2>, 3};
  table["st.v2." + type] = {store<T, 2>, 3};
  table["ld.v4." + type] = {load<T, 4>, 5};
  table["st.v4." + type] = {store<T, 4>, 5};
}

template <class T>
void add_integer(Table& table, const std::string& type) {
  using Unsigned = std::make_unsigned_t<T>;  // whose sums and products wrap around
  table["mov." + type] = unary<T, T, [](T x) { return x; }>;
  table["add." + type] = binary<Unsigned, Unsigned, [](Unsigned x, Unsigned y) { return x + y; }>;
  table["sub." + type] = binary<Unsigned, Unsigned, [](Unsigned x, Unsigned y) { return x - y; }>;
  table["mul.lo." + type] = binary<Unsigned, Unsigned, [](std::uint64_t x, std::uint64_t y) { return x * y; }>;
  table["mad.lo." + type] = {multiply_add<T>, 4};
  table["neg." + type] = unary<Unsigned, Unsigned, [](Unsigned x) { return Unsigned{0} - x; }>;
  table["and." + type] = binary<T, T, [](T x, T y) { return x & y; }>;
  table["or." + type] = binary<T, T, [](T x, T y) { return x | y; }>;
  table["xor." + type] = binary<T, T, [](T x, T y) { return x ^ y; }>;
  table["not." + type] = unary<T, T, [](T x) { return ~x; }>;
  table["min." + type] = binary<T, T, [](T x, T y) { return std::min(x, y); }>;
  table["max." + type] = binary<T, T, [](T x, T y) { return std::max(x, y); }>;
  table["shl." + type] = {shift_left<Unsigned>, 3};
  table["shr." + type] = {shift_right<T>, 3};
  table["bfi." + type] = {insert_bits<Unsigned>, 5};
  table["selp." + type] = {select<T>, 4};
  table["setp.eq." + type] = binary<bool, T, [](T x, T y) { return x == y; }>;
  table["setp.ne." + type] = binary<bool, T, [](T x, T y) { return x != y; }>;
  table["setp.lt." + type] = binary<bool, T, [](T x, T y) { return x < y; }>;
  table["setp.le." + type] = binary<bool, T, [](T x, T y) { return x <= y; }>;
  table["setp.gt." + type] = binary<bool, T, [](T x, T y) { return y < x; }>;
  table["setp.ge." + type] = binary<bool, T, [](T x, T y) { return y <= x; }>;
  add_accesses<T>(table, type);
  table["cvt.rzi." + type + ".f64"] = unary<T, double, truncated<T>>;
  if constexpr (sizeof(T) >= 4) {
    table["cvt.rn.f64." + type] = unary<double, T, [](T x) { return x; }>;
    table["div." + type] = division<T, [](T x, T y) { return x / y; }>;
    table["rem." + type] = division<T, [](T x, T y) { return x % y; }>;
  }
  const auto convert = [&]<class From>(const char* from) {
    table["cvt." + type + "." + from] = unary<T, From, [](From x) { return x; }>;
  };
  convert.template operator()<std::int8_t>("s8");
  convert.template operator()<std::int16_t>("s16");
  convert.template operator()<std::int32_t>("s32");
  convert.template operator()<std::int64_t>("s64");
  convert.template operator()<std::uint8_t>("u8");
  convert.template operator()<std::uint16_t>("u16");
  convert.template operator()<std::uint32_t>("u32");
  convert.template operator()<std::uint64_t>("u64");
}

void add_float(Table& table) {
  using D = double;
  table["mov.f64"] = unary<D, D, [](D x) { return x; }>;
  add_accesses<D>(table, "f64");
  table["add.rn.f64"] = binary<D, D, [](D x, D y) { return rounded(x + y); }>;
  table["sub.rn.f64"] = binary<D, D, [](D x, D y) { return rounded(x - y); }>;
  table["mul.rn.f64"] = binary<D, D, [](D x, D y) { return rounded(x * y); }>;
  table["div.rn.f64"] = binary<D, D, [](D x, D y) { return rounded(x / y); }>;
  table["rcp.rn.f64"] = unary<D, D, [](D x) { return rounded(1 / x); }>;
  table["sqrt.rn.f64"] = unary<D, D, [](D x) { return rounded(std::sqrt(x)); }>;
  table["fma.rn.f64"] = {fused, 4};
  table["neg.f64"] = unary<D, D, [](D x) { return -x; }>;
  table["abs.f64"] = unary<D, D, [](D x) { return std::fabs(x); }>;
  table["min.f64"] = binary<D, D, smaller>;
  table["max.f64"] = binary<D, D, larger>;
  table["copysign.f64"] = binary<D, D, [](D sign, D x) { return std::copysign(x, sign); }>;
  table["cvt.rzi.f64.f64"] = unary<D, D, [](D x) { return rounded(std::trunc(x)); }>;
  table["selp.f64"] = {select<D>, 4};
  // With a `u` they hold too where one is no number.
  table["setp.eq.f64"] = binary<bool, D, [](D x, D y) { return x == y; }>;
  table["setp.ne.f64"] = binary<bool, D, [](D x, D y) { return x < y || y < x; }>;
  table["setp.lt.f64"] = binary<bool, D, [](D x, D y) { return x < y; }>;
  table["setp.le.f64"] = binary<bool, D, [](D x, D y) { return x <= y; }>;
  table["setp.gt.f64"] = binary<bool, D, [](D x, D y) { return y < x; }>;
  table["setp.ge.f64"] = binary<bool, D, [](D x, D y) { return y <= x; }>;
  table["setp.equ.f64"] = binary<bool, D, [](D x, D y) { return !(x < y || y < x); }>;
  table["setp.neu.f64"] = binary<bool, D, [](D x, D y) { return x != y; }>;
  table["setp.ltu.f64"] = binary<bool, D, [](D x, D y) { return !(y <= x); }>;
  table["setp.leu.f64"] = binary<bool, D, [](D x, D y) { return !(y < x); }>;
  table["setp.gtu.f64"] = binary<bool, D, [](D x, D y) { return !(x <= y); }>;
  table["setp.geu.f64"] = binary<bool, D, [](D x, D y) { return !(x < y); }>;
  table["setp.num.f64"] = binary<bool, D, [](D x, D y) { return x == x && y == y; }>;
  table["setp.nan.f64"] = binary<bool, D, [](D x, D y) { return x != x || y != y; }>;
}

const Table& table() {
  static const Table all = [] {
    Table table;
    add_float(table);
    for (const char* kind : {"s", "b", "u"}) {
      const bool is_signed = *kind == 's';
      const auto add = [&]<class Signed, class Unsigned>(const char* bits) {
        is_signed ? add_integer<Signed>(table, kind + std::string(bits))
                  : add_integer<Unsigned>(table, kind + std::string(bits));
      };
      add.template operator()<std::int8_t, std::uint8_t>("8");
      add.template operator()<std::int16_t, std::uint16_t>("16");
      add.template operator()<std::int32_t, std::uint32_t>("32");
      add.template operator()<std::int64_t, std::uint64_t>("64");
    }
    const auto widen = [&]<class Wide, class Narrow>(const char* name) {
      table[name] = binary<Wide, Narrow, [](Narrow x, Narrow y) { return Wide{x} * Wide{y}; }>;
    };
    widen.template operator()<std::int64_t, std::int32_t>("mul.wide.s32");
    widen.template operator()<std::uint64_t, std::uint32_t>("mul.wide.u32");
    widen.template operator()<std::uint32_t, std::uint16_t>("mul.wide.u16");
    table["mov.pred"] = unary<bool, bool, [](bool x) { return x; }>;
    table["not.pred"] = unary<bool, bool, [](bool x) { return !x; }>;
    table["and.pred"] = binary<bool, bool, [](bool x, bool y) { return x && y; }>;
    table["or.pred"] = binary<bool, bool, [](bool x, bool y) { return x || y; }>;
    table["xor.pred"] = binary<bool, bool, [](bool x, bool y) { return x != y; }>;
    table["mov.b32 {}"] = binary<std::uint32_t, std::uint16_t,
                                 [](std::uint32_t low, std::uint32_t high) { return low | high << 16; }>;
    table["ret"] = {leave, 0};
    table["atom.add.u64"] = {atomic_add<std::uint64_t>, 3};
    // All memory is the host's.
    for (const char* way : {"to.global", "to.local", "global", "local", "param"})
      table["cvta." + std::string(way) + ".u64"] =
          unary<std::uint64_t, std::uint64_t, [](std::uint64_t x) { return x; }>;
    return table;
  }();
  return all;
}

// ---------------------------------------------------------------------------------------------------------------------
// Text

/// A statement without its semicolon, a brace, or a label with its colon.
struct Statement {
  std::string text;
  int line;
};

std::vector<Statement> statements(std::string_view text) {
  std::vector<Statement> all;
  std::string now;
  int line = 1, begun = 1, open = 0;  // brackets of a list of operands or of parameters
  const auto end = [&] {
    while (!now.empty() && now.back() == ' ') now.pop_back();
    if (!now.empty()) all.push_back({now, begun});
    now.clear();
  };
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (c == '\n') ++line;
    if (text.substr(k, 2) == "//") {
      k = std::min(text.find('\n', k), text.size()) - 1;
      continue;
    }
    if (now.empty()) begun = line;
    const bool vector = c == '{' && now.find(' ') != std::string::npos && (now[0] != '.' || now.ends_with("= "));
    if (c == '(' || vector) ++open;
    if (c == ')' || (c == '}' && open > 0)) {
      --open;
      now += c;
      continue;
    }
    if (c == ';') {
      end();
    } else if ((c == '{' && !vector) || c == '}') {
      end();
      all.push_back({std::string(1, c), line});
    } else if (c == ':' && open == 0 && now.find(' ') == std::string::npos) {
      now += c;
      end();
    } else if (std::isspace(static_cast<unsigned char>(c))) {
      // Directives that stand alone on their line.
      if (c == '\n' && (now.starts_with(".version") || now.starts_with(".target") || now.starts_with(".address_size")))
        end();
      else if (!now.empty() && now.back() != ' ')
        now += ' ';
    } else {
      now += c;
    }
  }
  end();
  return all;
}

/// The words of "a, {b, c}, [d+4]" or "(a), f, (b, c)", the brackets of addresses among them.
std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> all(1);
  for (const char c : text) {
    if (c == ',' || c == ' ' || c == '(' || c == ')' || c == '{' || c == '}') {
      if (!all.back().empty()) all.emplace_back();
    } else {
      all.back() += c;
    }
  }
  if (all.back().empty()) all.pop_back();
  return all;
}

std::size_t size_of(const std::string& type) {
  const std::size_t digits = type.find_first_of("0123456789");
  return digits == std::string::npos ? 1 : std::stoul(type.substr(digits)) / 8;
}

class Translator {
 public:
  Translator(PtxFunction& function, const std::map<std::string, std::unique_ptr<PtxFunction>>& functions,
             const PtxConstants& constants)
      : function_(function), functions_(functions) {
    for (const auto& [name, slot] : {std::pair{"%tid.x", tid}, {"%ntid.x", ntid}, {"%ctaid.x", ctaid}})
      slots_[name] = slot;
    function_.start.assign(first_slot, 0);
    for (const auto& [name, numbers] : constants)
      function_.start[static_cast<std::size_t>(slot_of_new(name))] = reinterpret_cast<std::uint64_t>(numbers.data());
  }

  void declare_result(const std::string& name) { function_.result = slot_of_new(name); }
  void declare_parameter(const std::string& name) { function_.parameters.push_back(slot_of_new(name)); }

  void take(const Statement& statement) {
    line_ = statement.line;
    const std::string& text = statement.text;
    if (text.ends_with(':')) {
      if (!labels_.emplace(text.substr(0, text.size() - 1), static_cast<std::int64_t>(function_.code.size())).second)
        fail(line_, "a label again: " + text);
    } else if (text.starts_with(".reg")) {
      declare_registers(words(text));
    } else if (text.starts_with(".local") || text.starts_with(".param")) {
      declare_array(text);
    } else if (text.starts_with(".")) {
      if (!text.starts_with(".pragma")) fail(line_, "unknown directive " + text);
    } else if (text != "{" && text != "}") {
      translate(text);
    }
  }

  void finish() {
    for (const auto& [place, label] : jumps_) {
      const auto found = labels_.find(label);
      if (found == labels_.end()) fail(function_.code[place].line, "no label " + label);
      function_.code[place].offset = found->second - static_cast<std::int64_t>(place) - 1;
    }
    function_.code.push_back({leave, {}, line_});  // where a label is the last word
  }

 private:
  int slot_of_new(const std::string& name) {
    const int slot = static_cast<int>(function_.start.size());
    function_.start.push_back(unset);
    slots_[name] = slot;
    return slot;
  }
  /// ".reg .f64 %fd<3>" or ".reg .b64 %SP".
  void declare_registers(const std::vector<std::string>& declared) {
    const std::string& name = declared.at(2);
    const std::size_t open = name.find('<');
    if (open == std::string::npos) {
      if (name == "temp_param_reg") return;  // of every call of older compilers, and never used
      if (slots_.contains(name)) fail(line_, "a register again: " + name);
      slot_of_new(name);
      return;
    }
    if (slots_.contains(name.substr(0, open) + "0")) fail(line_, "registers again: " + name);
    const int count = std::stoi(name.substr(open + 1));
    for (int k = 0; k < count; ++k) slot_of_new(name.substr(0, open) + std::to_string(k));
  }
  /// ".local .align 8 .b8 depot[104]" or ".param .b64 retval0".
  void declare_array(const std::string& text) {
    const std::vector<std::string> declared = words(text);
    std::string name = declared.back();
    const std::string& type = declared.at(declared.size() - 2);
    std::size_t count = 1;
    if (const std::size_t open = name.find('['); open != std::string::npos) {
      count = std::stoul(name.substr(open + 1));
      name.resize(open);
    }
    const std::size_t size = (size_of(type) * count + alignment - 1) / alignment * alignment;
    function_.arrays.push_back({slot_of_new(name), size});
    function_.bytes += size;
  }

  int slot(const std::string& word) {
    if (const auto found = slots_.find(word); found != slots_.end()) return found->second;
    const bool negative = word.starts_with('-'), hexadecimal = word.starts_with("0x"),
               bits = word.starts_with("0d") && word.size() == 18;
    const char *const first = word.data() + (negative              ? 1
                                             : hexadecimal || bits ? 2
                                                                   : 0),
                      *const last = word.data() + word.size();
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(first, last, value, hexadecimal || bits ? 16 : 10);
    if (error != std::errc{} || end != last || first == last) fail(line_, "unknown operand " + word);
    if (negative) value = std::uint64_t{0} - value;
    const int constant = slot_of_new(word);
    function_.start[static_cast<std::size_t>(constant)] = value;
    return constant;
  }

  void translate(std::string text) {
    Instruction made{nullptr, {}, line_};
    std::string condition;
    if (text[0] == '@') {
      condition = text.substr(1, text.find(' ') - 1);
      text = text.substr(text.find(' ') + 1);
    }
    const std::string opcode = text.substr(0, text.find(' '));
    const std::vector<std::string> operands = words(std::string_view(text).substr(opcode.size()));
    if (opcode == "bra" || opcode == "bra.uni") {
      const bool unless = condition.starts_with('!');
      made.run = condition.empty() ? go : unless ? go_unless : go_if;
      if (!condition.empty()) made.at[0] = slot(condition.substr(unless ? 1 : 0));
      jumps_.emplace_back(function_.code.size(), operands.at(0));
    } else if (!condition.empty()) {
      fail(line_, "a condition on " + text);
    } else if (opcode == "call.uni") {
      const bool returns = text.find('(') < text.find(operands.at(0));
      const std::string& name = operands.at(returns ? 1 : 0);
      const auto found = functions_.find(name);
      if (found == functions_.end()) fail(line_, "a call of " + name);
      made.run = call;
      made.offset = static_cast<std::int64_t>(function_.calls.size());
      PtxFunction::Call& called = function_.calls.emplace_back(found->second.get());
      if (returns) called.result = slot(operands[0]);
      for (std::size_t k = returns ? 2 : 1; k < operands.size(); ++k) called.arguments.push_back(slot(operands[k]));
    } else {
      const bool joins = opcode == "mov.b32" && text.find('{') > text.find(',') && text.ends_with('}');
      const auto found = table().find(joins ? "mov.b32 {}" : simple(opcode));
      if (found == table().end()) fail(line_, "unknown instruction " + opcode);
      if (operands.size() != found->second.operands ||
          (!is_access(opcode) && !joins && text.find_first_of("[{") != std::string::npos))
        fail(line_, "unknown operands: " + text);
      made.run = found->second.run;
      for (std::size_t k = 0; k < operands.size(); ++k)
        made.at[k] = operands[k][0] == '[' ? place(operands[k], made) : slot(operands[k]);
    }
    function_.code.push_back(std::move(made));
  }
  /// An access without its space: all memory is the host's.
  static std::string simple(const std::string& opcode) {
    if (!is_access(opcode)) return opcode;
    const std::size_t kind = opcode.find('.') + 1;
    std::string rest = opcode.substr(kind);
    for (const char* word : {"param.", "global.", "local."})
      if (rest.starts_with(word)) rest.erase(0, std::strlen(word));
    return opcode.substr(0, kind) + rest;
  }
  static bool is_access(const std::string& opcode) {
    return opcode.starts_with("ld.") || opcode.starts_with("st.") || opcode.starts_with("atom.");
  }
  /// "[%rd1+16]": the slot, and the offset into the instruction.
  int place(const std::string& operand, Instruction& made) {
    const std::string inside = operand.substr(1, operand.size() - 2);
    const std::size_t plus = inside.find('+');
    if (plus != std::string::npos) made.offset = std::stoll(inside.substr(plus + 1));
    return slot(inside.substr(0, plus));
  }

  PtxFunction& function_;
  const std::map<std::string, std::unique_ptr<PtxFunction>>& functions_;
  std::unordered_map<std::string, int> slots_;
  std::unordered_map<std::string, std::int64_t> labels_;
  std::vector<std::pair<std::size_t, std::string>> jumps_;
  int line_ = 0;
};

/// Of ".param .align 8 .b8 name[24], .param .u32 other" the names.
std::vector<std::string> parameters(std::string_view list) {
  std::vector<std::string> all;
  for (const std::string& word : words(list))
    if (word[0] != '.' && !std::isdigit(static_cast<unsigned char>(word[0])))
      all.push_back(word.substr(0, word.find('[')));
  return all;
}

/// Of ".global .align 8 .b8 name[16] = {1, 0, 255}" the name and the bytes, with zeros behind those that are written.
std::pair<std::string, std::vector<std::uint64_t>> constant_of(const Statement& statement) {
  const std::vector<std::string> all = words(statement.text);
  const std::string& name = all.size() > 4 ? all[4] : "";
  const std::size_t open = name.find('[');
  if (open == std::string::npos || all[1] != ".align" || std::stoul(all[2]) > sizeof(std::uint64_t) || all[3] != ".b8")
    fail(statement.line, "cannot read " + statement.text.substr(0, 80));
  std::vector<unsigned char> bytes;
  for (std::size_t k = 6; k < all.size(); ++k) {
    const char* const last = all[k].data() + all[k].size();
    if (const auto [end, error] = std::from_chars(all[k].data(), last, bytes.emplace_back());
        error != std::errc{} || end != last)
      fail(statement.line, "unknown byte " + all[k]);
  }
  std::vector<std::uint64_t> numbers(std::stoul(name.substr(open + 1)) / sizeof(std::uint64_t) + 1);
  std::memcpy(numbers.data(), bytes.data(), std::min(bytes.size(), numbers.size() * sizeof(std::uint64_t)));
  return {name.substr(0, open), std::move(numbers)};
}

struct Head {
  bool entry;
  std::string name;
  std::vector<std::string> results, parameters;
};

/// Of ".visible .entry name (.param .u64 a) .maxntid 128" or ".func (.param .b32 r) name (.param .b64 a)".
Head head_of(const Statement& statement) {
  const std::string& text = statement.text;
  Head head{text.find(".entry") != std::string::npos, "", {}, {}};
  std::string_view rest =
      std::string_view(text).substr(text.find(head.entry ? ".entry" : ".func") + (head.entry ? 6 : 5));
  const auto bracket = [&] {
    const std::size_t end = rest.find(')');
    const std::vector<std::string> names = parameters(rest.substr(rest.find('('), end));
    rest.remove_prefix(end + 1);
    return names;
  };
  if (rest.find_first_not_of(' ') == rest.find('(')) head.results = bracket();
  const std::size_t open = std::min(rest.find('('), rest.size());
  const std::vector<std::string> name = words(rest.substr(0, open));
  if (name.size() != 1) fail(statement.line, "cannot read " + text.substr(0, 80));
  head.name = name[0];
  rest.remove_prefix(open);
  if (!rest.empty()) head.parameters = bracket();
  return head;
}

}  // namespace

void PtxFunction::call(const PtxThread& thread, void* const* arguments, void* returned) const {
  std::vector<std::uint64_t> slots = start, memory(bytes / sizeof(std::uint64_t) + 1, unset);
  slots[tid] = thread.tid;
  slots[ntid] = thread.ntid;
  slots[ctaid] = thread.ctaid;
  const auto number = [](const void* place) { return reinterpret_cast<std::uint64_t>(place); };
  for (std::size_t k = 0; k < parameters.size(); ++k)
    slots[static_cast<std::size_t>(parameters[k])] = number(arguments[k]);
  if (result >= 0) slots[static_cast<std::size_t>(result)] = number(returned);
  std::uint64_t place = (number(memory.data()) + alignment - 1) / alignment * alignment;
  for (const Array& array : arrays) {
    slots[static_cast<std::size_t>(array.slot)] = place;
    place += array.size;
  }
  Frame frame{*this, slots.data(), code.data()};
  while (frame.next != nullptr) {
    const Instruction& instruction = *frame.next++;
    instruction.run(frame, instruction);
  }
}

PtxModule::PtxModule(std::string_view text) {
  std::unique_ptr<Translator> body;
  int depth = 0;
  Head head;
  for (const Statement& statement : statements(text)) {
    if (depth > 0) {
      depth += statement.text == "{" ? 1 : statement.text == "}" ? -1 : 0;
      if (depth > 0) body->take(statement);
      if (depth == 0) body->finish();
    } else if (statement.text == "{") {
      PtxFunction& function = *functions_.at(head.name);
      body = std::make_unique<Translator>(function, functions_, constants_);
      for (const std::string& name : head.results) body->declare_result(name);
      for (const std::string& name : head.parameters) body->declare_parameter(name);
      depth = 1;
    } else if (statement.text.starts_with(".global")) {
      constants_.insert(constant_of(statement));
    } else if (statement.text.find(".entry") != std::string::npos ||
               statement.text.find(".func") != std::string::npos) {
      head = head_of(statement);
      std::unique_ptr<PtxFunction>& function = functions_[head.name];
      if (!function) function = std::make_unique<PtxFunction>();
      function->entry = head.entry;
    } else if (!statement.text.starts_with(".version") && !statement.text.starts_with(".target") &&
               !statement.text.starts_with(".address_size")) {
      fail(statement.line, "unknown directive " + statement.text.substr(0, 80));
    }
  }
  if (depth > 0) throw std::runtime_error("PTX: it ends within " + head.name);
  for (const auto& [name, function] : functions_)
    for (const PtxFunction::Call& called : function->calls)
      if (called.function->code.empty()) throw std::runtime_error("PTX: " + name + " calls a function without code");
}

PtxModule::PtxModule(PtxModule&&) noexcept = default;
PtxModule::~PtxModule() = default;

std::vector<std::string> PtxModule::entries() const {
  std::vector<std::string> names;
  for (const auto& [name, function] : functions_)
    if (function->entry) names.push_back(name);
  return names;
}

void PtxModule::run(const std::string& entry, const PtxThread& thread, void* const* arguments) const {
  functions_.at(entry)->call(thread, arguments, nullptr);
}

namespace {

bool is_multiply_add(const Instruction& instruction) { return instruction.run == fused || instruction.run == unfused; }

}  // namespace

std::size_t PtxModule::multiply_adds(const std::string& entry) const {
  return static_cast<std::size_t>(std::ranges::count_if(functions_.at(entry)->code, is_multiply_add));
}

void PtxModule::set_fused(const std::string& entry, std::size_t number, bool yes) {
  for (Instruction& instruction : functions_.at(entry)->code)
    if (is_multiply_add(instruction) && number-- == 0) instruction.run = yes ? fused : unfused;
}

}  // namespace scree::test
