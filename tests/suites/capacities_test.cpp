// A system of several bodies is compiled for a few numbers of them: each of these has the same bits on every backend.
#include "study.hpp"

namespace scree {
namespace {

using test::Backend;

struct Case {
  const Model* model;
  int bodies;
  Backend backend;
};
std::string title(const Case& c) {
  return c.model->description.system + "_of_" + std::to_string(c.bodies) + "_" + c.backend.title();
}
void PrintTo(const Case& c, std::ostream* out) { *out << title(c); }

const Quantity& count_of(const Description& d) { return d.params[static_cast<std::size_t>(d.count)]; }

/// One number in each capacity of src/capacities.hpp, as far as a system takes as many.
std::vector<Case> cases() {
  std::vector<Case> all;
  for (const Model& model : models())
    if (model.description.count >= 0)
      for (const int bodies : {2, 3, 9, 17, 129, 513})
        if (bodies <= count_of(model.description).range.high)
          for (const Backend& backend : test::all_backends()) all.push_back({&model, bodies, backend});
  return all;
}

/// A fiftieth of the time that `scree init` suggests, with bodies so small that more of them have room, and a mesh that
/// few make too.
scree::Run study_of(const Description& d, int bodies) {
  const double end = d.first_end / 50, standard = count_of(d).standard[0];
  std::vector<std::string> changes{d.system + "." + count_of(d).name + "=" + std::to_string(bodies),
                                   "end=" + std::to_string(end), "step=" + std::to_string(std::min(end, d.first_step))};
  for (const Quantity& q : d.params) {
    if (q.name == "radius" && bodies > standard)
      changes.push_back(d.system + ".radius=" + std::to_string(q.standard[0] * standard / bodies));
    if (q.name == "refinement" && bodies < standard) changes.push_back(d.system + ".refinement=1");
  }
  return test::study(test::study_text(d), 20, changes);
}

class EveryCapacity : public testing::TestWithParam<Case> {};
// A build may leave out all systems of several bodies.
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(EveryCapacity);
INSTANTIATE_TEST_SUITE_P(Bits, EveryCapacity, testing::ValuesIn(cases()),
                         [](const auto& info) { return title(info.param); });

/// Else a system or a capacity could go without being missed: balls, disc boxes and hard discs hold up to 64, Coulomb's
/// bodies are up to 16, a disk has up to 2001 nodes.
TEST(CapacityCases, AreOfEachCapacityOfASystem) {
  std::size_t expected = 0;
  for (const auto& [system, capacities] :
       {std::pair{"balls", 4u}, {"coulomb", 3u}, {"disc_box", 4u}, {"disk", 6u}, {"hard_discs", 4u}})
    if (find_model(system) != nullptr) expected += capacities * test::all_backends().size();
  EXPECT_EQ(cases().size(), expected);
}

TEST_P(EveryCapacity, HasTheBitsOfScalarUnderEachScheme) {
  const Case& c = GetParam();
  const Description& d = c.model->description;
  if (const std::string why = c.backend.obstacle(*c.model); !why.empty()) GTEST_SKIP() << why;
  const scree::Run run = study_of(d, c.bodies);
  int compared = 0;
  for (std::size_t s = 0; s < d.schemes.size(); ++s) {
    const int scheme = static_cast<int>(s);
    EXPECT_EQ(digest(test::run_on(c.backend.kernel_of(*c.model), run, scheme, {2, 7})),
              digest(test::reference(run, scheme)))
        << d.schemes[s].name;
    ++compared;
  }
  EXPECT_EQ(compared, static_cast<int>(d.schemes.size()));
}

}  // namespace
}  // namespace scree
