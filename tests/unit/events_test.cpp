// Which events rows of a track show, step by step.
#include "host/model/events.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace scree {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Found = std::vector<std::pair<Event, int>>;

/// The events of the steps from the first row, the release, to the last; rows without their time.
Found events(const std::vector<std::string>& columns, const std::vector<std::vector<double>>& rows) {
  Description description;
  for (const std::string& name : columns) description.track.push_back({name, "1", ""});
  EventFinder finder(description);
  Found found;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<double> row{0.1 * static_cast<double>(i)};
    row.insert(row.end(), rows[i].begin(), rows[i].end());
    finder.step(row, [&](Event event, int body) { found.emplace_back(event, body); });
  }
  return found;
}

TEST(Events, AnImpactBeginsContactHoweverManyThereAre) {
  EXPECT_THAT(events({"contacts"}, {{0}, {3}, {4}, {0}, {1}}),
              ElementsAre(std::pair(Event::impact, -1), std::pair(Event::impact, -1)));
  EXPECT_THAT(events({"contacts"}, {{2}, {2}, {1}}), IsEmpty()) << "in contact at the release";
}

TEST(Events, EveryHitOfAStepIsAnImpact) {
  EXPECT_EQ(events({"pair_hits"}, {{0}, {3}, {3}, {5}}).size(), 5u);
  EXPECT_THAT(events({"wall_hits"}, {{7}, {7}}), IsEmpty()) << "hits before the release";
}

TEST(Events, AMassSticksAndSlips) {
  EXPECT_THAT(events({"held1", "held2"}, {{0, 1}, {1, 1}, {1, 0}, {0, 0}}),
              ElementsAre(std::pair(Event::stick, 1), std::pair(Event::slip, 2), std::pair(Event::slip, 1)));
}

TEST(Events, AMassTurnsWhereItGoesBack) {
  const std::vector<std::string> columns{"vx", "vy", "speed"};
  EXPECT_THAT(events(columns, {{1, 0, 1}, {1, 2, 2}, {-1, -2, 2}}), ElementsAre(std::pair(Event::turn, -1)));
  EXPECT_THAT(events(columns, {{1, 0, 1}, {0, 0, 0}, {-1, 0, 1}}), ElementsAre(std::pair(Event::turn, -1)))
      << "with a halt between";
  EXPECT_THAT(events(columns, {{1, 0, 1}, {0, 1, 1}, {-1, 0, 1}}), IsEmpty()) << "by right angles";
  EXPECT_THAT(events({"vx", "vy"}, {{1, 0}, {-1, 0}}), IsEmpty()) << "a particle in flight has no speed of its own";
}

TEST(Events, ALinkTurnsOnceRoundEitherWay) {
  const std::vector<std::string> columns{"x1", "y1", "x2", "y2", "link_force"};
  const auto round = [&](double turns, int steps) {
    std::vector<std::vector<double>> rows;
    for (int i = 0; i <= steps; ++i) {
      const double angle = 2 * std::acos(-1.0) * turns * i / steps;
      rows.push_back({1, 2, 1 + std::cos(angle), 2 + std::sin(angle), 0});
    }
    return events(columns, rows).size();
  };
  EXPECT_EQ(round(0.99, 40), 0u);
  EXPECT_EQ(round(1.01, 40), 1u);
  EXPECT_EQ(round(-3.01, 40), 3u);
}

}  // namespace
}  // namespace scree
