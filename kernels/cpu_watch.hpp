// What the CPU backends give their samples to be watched by: visits and crossings go to the sample's list at once.
#pragma once

#include <type_traits>

#include "../src/passage.hpp"

// In kernels/visits.cpp. C names: sources for special instruction sets call them.
extern "C" {
/// A list for one sample.
void* scree_visits_begin(void* collector);
void scree_visit(void* list, const scree::Visit& visit);
void scree_visits_back(void* list, std::uint32_t visits);
void scree_line_crossed(void* list, const scree::LineCrossing& crossing);
void scree_lines_uncrossed(void* list, std::uint32_t crossings);
/// The sample has ended with `status`. The list is gone.
void scree_visits_end(void* list, std::uint64_t sample, std::uint32_t status, const scree::PathEnd& end);
}

namespace scree {

/// A Taker (passage.hpp); a list is its address.
struct VisitLists {
  static constexpr bool may_be_full = false;

  static double begin(const World& world) {
    return static_cast<double>(reinterpret_cast<std::uintptr_t>(scree_visits_begin(world.visits)));
  }
  static void visit(double list, const Visit& visit) { scree_visit(list_of(list), visit); }
  static void back(double list, std::uint32_t visits) { scree_visits_back(list_of(list), visits); }
  static void crossed(double list, const LineCrossing& crossing) { scree_line_crossed(list_of(list), crossing); }
  static void uncrossed(double list, std::uint32_t crossings) { scree_lines_uncrossed(list_of(list), crossings); }
  static void end(double list, std::uint64_t sample, std::uint32_t status, const PathEnd& end) {
    scree_visits_end(list_of(list), sample, status, end);
  }

 private:
  static void* list_of(double number) { return reinterpret_cast<void*>(static_cast<std::uintptr_t>(number)); }
};

namespace detail {
template <class Phases>
constexpr auto watching_of() {
  if constexpr (requires { typename Phases::Passage; }) {
    return std::type_identity<PathWatch<Phases, VisitLists>>{};
  } else {
    return std::type_identity<NoSink<Phases>>{};
  }
}
}  // namespace detail

template <class Phases>
using Watching = typename decltype(detail::watching_of<Phases>())::type;

}  // namespace scree
