// What `describe()` says of columns: the lists of those to look at first and of those that tell why arms differ.
#include "host/model/description.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "host/model/model.hpp"

namespace scree {
namespace {

using testing::ElementsAre;
using testing::ThrowsMessage;

struct Cart {
  struct Params {
    double mass;
  };
  struct Start {
    double speed;
  };
  struct Summary {
    double reach, heat, contact;
  };
  struct Track {
    double x;
  };
};

DescriptionBuilder<Cart> cart() {
  DescriptionBuilder<Cart> table;
  table.column("reach", &Cart::Summary::reach, "m", "how far");
  table.column("heat", &Cart::Summary::heat, "J", "what the brakes took");
  table.column("contact", &Cart::Summary::contact, "1", "share of the time on the ground");
  return table;
}

TEST(Description, ListsColumnsByTheirPlaces) {
  DescriptionBuilder<Cart> table = cart();
  table.headline({"reach"});
  table.why({"contact", "heat"});
  EXPECT_THAT(table.description.headline, ElementsAre(0));
  EXPECT_THAT(table.description.why, ElementsAre(2, 1));
}

TEST(Description, RefusesListsOfUnknownColumns) {
  DescriptionBuilder<Cart> table = cart();
  EXPECT_THAT(
      [&] {
        table.headline({"reach", "raech"});
      },
      ThrowsMessage<std::logic_error>("headline() names an unknown column raech"));
  EXPECT_THAT([&] { table.why({"haet"}); }, ThrowsMessage<std::logic_error>("why() names an unknown column haet"));
}

TEST(Description, OfARockTellsWhySchemesDifferByItsTurningEnergyAndContact) {
  const Description& rock = find_model("rock")->description;
  std::vector<std::string> names;
  for (const int c : rock.why) names.push_back(rock.columns.at(static_cast<std::size_t>(c)).name);
  EXPECT_THAT(names, ElementsAre("slope_wheel_index", "flat_wheel_index", "slope_alignment", "flat_alignment",
                                 "kinetic_energy_mean", "rotational_energy_mean", "rotational_share", "contact_share",
                                 "impacts"));
}

}  // namespace
}  // namespace scree
