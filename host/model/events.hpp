// What happens to a sample on its way, seen in the columns of its track from step to step. The columns are known by
// their names, so a system offers those events for which its track has them:
//
//   impact     contacts, elastic: from none to some; plane_hits, ball_hits, pair_hits, wall_hits: as many more
//   turn       vx and vy beside speed (a mass that slides), vx1 and vy1 beside held1: against what it was
//   link_turn  x1, y1, x2, y2: the link from one to the other has gone round once more, to either side
//   stick      held1, held2: from 0 to 1
//   slip       and back
//
// and of every system the end of the sample, by its status.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "description.hpp"
#include "src/status.hpp"

namespace scree {

enum class Event : std::uint32_t { impact, turn, link_turn, stick, slip, ends };  // ends + status: the end

inline constexpr std::size_t event_count = static_cast<std::size_t>(Event::ends) + status_count;
/// By their numbers.
extern const std::array<const char*, event_count> event_names;

/// The event that a status is.
inline Event end_of(std::uint32_t status) {
  return static_cast<Event>(static_cast<std::uint32_t>(Event::ends) + status);
}

/// Finds the events of one sample, but for its end.
class EventFinder {
 public:
  explicit EventFinder(const Description& description);
  /// `row` is a row of Model::replay, time first, of the release or of one step after the other. `found` is called with
  /// each event of the step and the body it is of, as the columns count them; -1: of the sample.
  void step(std::span<const double> row, const std::function<void(Event, int body)>& found);

 private:
  struct Rise {
    std::size_t column;
    Event event;
    int body;
    bool counts;  // each by which it grows, and not only from 0
    double before = 0;
  };
  struct Velocity {
    std::vector<std::size_t> columns;
    int body;
    std::vector<double> before = {};  // the last that was not 0
  };
  struct Link {
    std::array<std::size_t, 4> columns;      // x1, y1, x2, y2
    double angle = 0, turned = 0, told = 0;  // rad, turns to the left, whole turns that were told of
  };
  void look_at(Velocity& velocity, std::span<const double> row, const std::function<void(Event, int body)>& found);
  void look_at(Link& link, std::span<const double> row, const std::function<void(Event, int body)>& found);

  std::vector<Rise> rises_;
  std::vector<Velocity> velocities_;
  std::vector<Link> links_;
  bool released_ = false;
};

}  // namespace scree
