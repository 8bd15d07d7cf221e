#include "events.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scree {

const std::array<const char*, event_count> event_names = [] {
  std::array<const char*, event_count> names{"impact", "turn", "link_turn", "stick", "slip"};
  std::copy(std::begin(status_names), std::end(status_names), names.begin() + static_cast<int>(Event::ends));
  return names;
}();

EventFinder::EventFinder(const Description& description) {
  const std::vector<Column>& track = description.track;
  // Where a row has these columns; empty unless it has all. The time is before them.
  const auto places = [&](std::initializer_list<const char*> names) {
    std::vector<std::size_t> found;
    for (const char* name : names) {
      const auto column = std::find_if(track.begin(), track.end(), [&](const Column& c) { return c.name == name; });
      if (column == track.end()) return std::vector<std::size_t>{};
      found.push_back(static_cast<std::size_t>(column - track.begin()) + 1);
    }
    return found;
  };
  const auto rise = [&](const char* name, Event event, int body, bool counts) {
    for (const std::size_t column : places({name})) rises_.push_back({column, event, body, counts});
  };
  for (const char* name : {"contacts", "elastic"}) rise(name, Event::impact, -1, false);
  for (const char* name : {"plane_hits", "ball_hits", "pair_hits", "wall_hits"}) rise(name, Event::impact, -1, true);
  rise("held1", Event::stick, 1, false);
  rise("held2", Event::stick, 2, false);
  if (const auto v = places({"vx", "vy", "speed"}); !v.empty()) velocities_.push_back({{v[0], v[1]}, -1});
  if (const auto v = places({"vx1", "vy1", "held1"}); !v.empty()) velocities_.push_back({{v[0], v[1]}, 1});
  if (const auto v = places({"vx2", "vy2", "held2"}); !v.empty()) velocities_.push_back({{v[0], v[1]}, 2});
  if (const auto r = places({"x1", "y1", "x2", "y2", "link_force"}); !r.empty())
    links_.push_back({{r[0], r[1], r[2], r[3]}});
}

void EventFinder::look_at(Velocity& velocity, std::span<const double> row,
                          const std::function<void(Event, int)>& found) {
  double along = 0, now = 0;
  for (std::size_t k = 0; k < velocity.columns.size(); ++k) {
    const double v = row[velocity.columns[k]];
    now += v * v;
    if (released_ && !velocity.before.empty()) along += v * velocity.before[k];
  }
  if (along < 0) found(Event::turn, velocity.body);
  if (!(now > 0)) return;
  velocity.before.clear();
  for (const std::size_t column : velocity.columns) velocity.before.push_back(row[column]);
}

void EventFinder::look_at(Link& link, std::span<const double> row, const std::function<void(Event, int)>& found) {
  const auto& [x1, y1, x2, y2] = link.columns;
  const double angle = std::atan2(row[y2] - row[y1], row[x2] - row[x1]);
  if (released_) {
    constexpr double round = 2 * std::numbers::pi;
    link.turned += std::remainder(angle - link.angle, round) / round;
    // Once round from where the last turn was told of: a link that swings to and fro about there has not turned.
    if (std::fabs(link.turned - link.told) >= 1) {
      link.told += link.turned > link.told ? 1 : -1;
      found(Event::link_turn, -1);
    }
  }
  if (std::isfinite(angle)) link.angle = angle;
}

void EventFinder::step(std::span<const double> row, const std::function<void(Event, int body)>& found) {
  for (Rise& rise : rises_) {
    const double now = row[rise.column];
    if (released_ && !rise.counts && now > rise.before && rise.before == 0) found(rise.event, rise.body);
    if (released_ && rise.counts)
      for (double more = now - rise.before; more > 0; --more) found(rise.event, rise.body);
    if (released_ && rise.event == Event::stick && now == 0 && rise.before > 0) found(Event::slip, rise.body);
    rise.before = now;
  }
  for (Velocity& velocity : velocities_) look_at(velocity, row, found);
  for (Link& link : links_) look_at(link, row, found);
  released_ = true;
}

}  // namespace scree
