// Every kind of terrain has the same bits on every backend, for each registered system that moves on one.
#include "study.hpp"

namespace scree {
namespace {

using test::Backend;

struct Kind {
  const char* name;
  std::string keys;
};
std::vector<Kind> kinds_of(Ground ground) {
  const Kind plane{"plane", "kind = 'plane'\nslope = 30.0\nheight = 10.0\n"};
  if (ground == Ground::rough) return {plane, {"grid", "kind = 'grid'\nfile = '" + test::grid_file() + "'\n"}};
  if (ground == Ground::smooth)
    return {plane,
            {"bowl", "kind = 'bowl'\nradius = 5000.0\n"},
            {"dome", "kind = 'dome'\nradius = 5000.0\n"},
            {"cosine", "kind = 'cosine'\namplitude = 10.0\nwavelength_x = 300.0\nwavelength_y = 400.0\n"},
            {"grid", "kind = 'grid'\nfile = '" + test::grid_file() + "'\n"}};
  return {};
}

struct Case {
  const Model* model;
  Kind kind;
  Backend backend;
};
std::string title(const Case& c) {
  return c.model->description.system + "_on_" + c.kind.name + "_" + c.backend.title();
}
void PrintTo(const Case& c, std::ostream* out) { *out << title(c); }

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const Model& model : models())
    for (const Kind& kind : kinds_of(model.description.ground))
      for (const Backend& backend : test::all_backends()) all.push_back({&model, kind, backend});
  return all;
}

class EveryTerrain : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Bits, EveryTerrain, testing::ValuesIn(cases()),
                         [](const auto& info) { return title(info.param); });

/// Else a system or a kind could go without being missed.
TEST(TerrainCases, AreOfEachKindThatASystemMovesOn) {
  std::size_t expected = 0;
  for (const auto& [system, kinds] : {std::pair{"rock", 2u}, {"slider", 5u}, {"pair", 5u}})
    if (find_model(system) != nullptr) expected += kinds * test::all_backends().size();
  EXPECT_EQ(cases().size(), expected);
}

TEST_P(EveryTerrain, HasTheBitsOfScalarUnderEachScheme) {
  const Case& c = GetParam();
  if (const std::string why = c.backend.obstacle(*c.model); !why.empty()) GTEST_SKIP() << why;
  std::string text = test::study_text(c.model->description);
  const std::size_t from = text.find('\n', text.find("\n[terrain]") + 1) + 1, to = text.find("\n[", from);
  text.replace(from, to - from, c.kind.keys);
  std::vector<std::string> changes{"end=" + std::to_string(test::short_end(c.model->description))};
  // So fast that it loses contact on the crests of the hills: v^2 A k^2 = 3600 * 0.0044 m/s^2 > g.
  for (const Quantity& q : c.model->description.starts)
    if (q.name == "speed") changes.push_back("start.speed=60.0");
  const scree::Run run = test::study(text, 20, changes);
  int compared = 0;
  for (std::size_t s = 0; s < c.model->description.schemes.size(); ++s) {
    const int scheme = static_cast<int>(s);
    EXPECT_EQ(digest(test::run_on(c.backend.kernel_of(*c.model), run, scheme, {2, 7})),
              digest(test::reference(run, scheme)))
        << c.model->description.schemes[s].name;
    ++compared;
  }
  EXPECT_EQ(compared, static_cast<int>(c.model->description.schemes.size()));
}

}  // namespace
}  // namespace scree
