// Samples whose laws, shapes and ends differ, side by side in the lanes of a pack or the threads of a warp, have the
// same bits on every backend.
#include <utility>

#include "study.hpp"

namespace scree {
namespace {

using test::Backend;

/// A config of a system, and what must happen in it: each of `ends` to some sample, each of `columns` above 0 in some.
struct Fates {
  const char *name, *system;
  std::string text;
  std::vector<Status> ends;
  std::vector<std::string> columns;
  std::uint64_t samples = 61;
};

/// Sliders that rest from the start, turn, stop, lose contact and end there or not, or leave the ground.
Fates sliders(const char* name, const std::string& terrain, std::vector<Status> ends, const std::string& x,
              const std::string& y) {
  return {name,
          "slider",
          "system = 'slider'\nscheme = 'rk4'\nseed = 2\nstep = 0.05\nend = 40.0\n[terrain]\n" + terrain +
              "[vary]\n'start.position.x' = { uniform = [" + x + "] }\n'start.position.y' = { uniform = [" + y +
              "] }\n"
              "'start.velocity.x' = { choice = [0.0, 0.0, -3.0, 12.0] }\n"
              "'start.velocity.y' = { choice = [0.0, 0.0, 1.0, 5.0] }\n"
              "'slider.friction' = { choice = [0.0, 0.1, 0.3, 0.6] }\n"
              "'slider.static_friction' = { choice = [0.0, 0.8] }\n"
              "'slider.mode' = { choice = ['bilateral', 'unilateral_stop'] }\n",
          std::move(ends),
          {}};
}

std::vector<Fates> all_fates() {
  const Status end = Status::end_time, stopped = Status::stopped, lifted = Status::lifted_off,
               left = Status::left_terrain, no_data = Status::no_data;
  const std::string ten = "-10.0, 10.0";
  return {
      sliders("in_a_valley", "kind = 'quadric'\na = 0.01\nb = 0.02\nc = 0.005\nd = -0.1\ne = 0.05\nf = 3.0\n",
              {end, stopped}, ten, ten),
      sliders("in_a_bowl", "kind = 'bowl'\nradius = 20.0\n", {end, stopped}, ten, ten),
      sliders("on_a_dome", "kind = 'dome'\nradius = 20.0\n", {stopped, lifted, left}, ten, ten),
      sliders("over_hills", "kind = 'cosine'\namplitude = 2.0\nwavelength_x = 21.0\nwavelength_y = 31.0\n",
              {end, stopped, lifted}, ten, ten),
      // Above a hole.
      sliders("over_a_spline", "kind = 'grid'\nfile = '" + test::grid_file() + "'\n", {stopped, left, no_data},
              "-620.0, -570.0", "-400.0, -300.0"),
      // Masses that slide, rest, halt or are held, under both models with each stabilisation.
      {"pairs",
       "pair",
       "system = 'pair'\nscheme = 'rk4'\nseed = 1\nstep = 0.05\nend = 10.0\n[pair]\nstart_check = 'project'\n"
       "[terrain]\nkind = 'quadric'\na = 0.02\nb = 0.03\nc = 0.01\nd = -0.1\ne = 0.05\n"
       "[vary]\n'pair.mass1' = { uniform = [1.0, 20.0] }\n'pair.mass2' = { uniform = [1.0, 5.0] }\n"
       "'pair.friction' = { choice = [0.0, 0.05, 0.15, 0.3] }\n'pair.static_friction' = { choice = [0.0, 0.45] }\n"
       "'pair.model' = { choice = ['part1', 'exact'] }\n"
       "'pair.stabilise' = { choice = ['none', 'baumgarte', 'projection'] }\n"
       "'start.position1.x' = { uniform = [-5.0, 5.0] }\n'start.position1.y' = { uniform = [-5.0, 5.0] }\n"
       "'start.position2.x' = { uniform = [-5.0, 5.0] }\n'start.position2.y' = { uniform = [-5.0, 5.0] }\n"
       "'start.velocity1.x' = { choice = [0.0, 0.0, 2.5] }\n'start.velocity1.y' = { choice = [0.0, 0.0, -2.0] }\n"
       "'start.velocity2.x' = { choice = [0.0, 0.0, -1.5] }\n'start.velocity2.y' = { choice = [0.0, 0.0, 3.0] }\n",
       {end, stopped},
       {"held_time1", "held_time2", "releases"}},
      // Discs in circles and rectangles, with both laws of friction, with and without observers, latched and not.
      {"disc_boxes",
       "disc_box",
       "system = 'disc_box'\nscheme = 'rk4_redo'\nseed = 3\nstep = 0.002\nend = 0.8\n[disc_box]\ndiscs = 4\nradius = "
       "0.6\n"
       "[vary]\n'start.velocity.x' = { uniform = [-5.0, 5.0] }\n'start.velocity.y' = { uniform = [-5.0, 5.0] }\n"
       "'start.spin' = { uniform = [-15.0, 15.0] }\n"
       "'disc_box.enclosure' = { choice = ['circle', 'rectangle'] }\n"
       "'disc_box.friction_law' = { choice = ['viscous', 'coulomb'] }\n"
       "'disc_box.latch' = { choice = ['script', 'onset'] }\n"
       "'disc_box.observer_mass' = { choice = [0.0, 1.0] }\n",
       {end},
       {"contact_time"}},
      // Of ten discs of this size some find no place.
      {"crowded_disc_boxes",
       "disc_box",
       "system = 'disc_box'\nscheme = 'rk4_redo'\nseed = 3\nstep = 0.002\nend = 0.01\n"
       "[disc_box]\ndiscs = 10\nradius = 1.18\n[vary]\n'start.velocity.x' = { uniform = [-5.0, 5.0] }\n",
       {end, Status::not_placed},
       {},
       12},
      // Rocks of 24, 8, 42 and 6 vertices, some in soil or a drag layer, above a hole, or so fast that they leave the
      // grid.
      {"rocks",
       "rock",
       "system = 'rock'\nscheme = 'explicit'\nseed = 4\nstep = 0.008\nend = 1.6\n"
       "[rock]\nstop_speed = 0.3\nstop_time = 0.1\nlayer_height = 60.0\n"
       "[terrain]\nkind = 'grid'\nfile = '" +
           test::grid_file() +
           "'\n[[shape]]\nname = 'a'\nkind = 'eota'\nsize = [0.93, 0.93, 0.47]\nmass = 780.0\n"
           "[[shape]]\nname = 'b'\nkind = 'cuboid'\nsize = [1.0, 0.7, 0.5]\ndensity = 2600.0\n"
           "[[shape]]\nname = 'c'\nkind = 'ellipsoid'\nsize = [1.0, 0.7, 0.5]\ndensity = 2600.0\n"
           "[[shape]]\nname = 'd'\nkind = 'octahedron'\nsize = [1.0, 0.7, 0.5]\ndensity = 2600.0\n"
           "[vary]\n'start.shape' = { choice = ['a', 'b', 'c', 'd'] }\n'start.orientation' = 'uniform'\n"
           "'start.position.x' = { uniform = [-565.0, -552.0] }\n"
           "'start.position.y' = { uniform = [-400.0, -300.0] }\n"
           "'start.gap' = { uniform = [0.0, 3.0] }\n'start.speed' = { choice = [0.0, 12.0] }\n"
           "'start.velocity.y' = { choice = [0.0, 0.0, 0.0, -150.0] }\n"
           "'start.omega.x' = { uniform = [-5.0, 5.0] }\n'start.omega.z' = { uniform = [-5.0, 5.0] }\n"
           "'rock.layer_drag' = { choice = [0.0, 250.0] }\n'rock.restitution' = { choice = [0.0, 0.3] }\n"
           "'rock.soil_strength' = { choice = [0.0, 1e5, 2e7] }\n'rock.soil_drag' = { choice = [0.0, 1.5] }\n"
           "'rock.soil_spin_drag' = { choice = [0.0, 0.5] }\n",
       {end, stopped, no_data, left},
       {},
       40},
      // Rocks in soil and out of it that pass the foot of a ramp, where they lie on both half-spaces.
      {"rocks_in_soil",
       "rock",
       "system = 'rock'\nscheme = 'explicit'\nseed = 6\nstep = 0.006\nend = 3.6\n"
       "[rock]\nstop_speed = 0.3\nstop_time = 0.1\n[terrain]\nkind = 'ramp'\nslope = 40.0\nheight = 4.0\n"
       "[[shape]]\nname = 'a'\nkind = 'eota'\nsize = [0.93, 0.93, 0.47]\nmass = 780.0\n"
       "[[shape]]\nname = 'b'\nkind = 'cuboid'\nsize = [1.0, 0.7, 0.5]\ndensity = 2600.0\n"
       "[start]\nposition = [0.0, 0.0]\n"
       "[vary]\n'start.shape' = { choice = ['a', 'b'] }\n'start.orientation' = 'uniform'\n"
       "'start.position.x' = { uniform = [0.0, 5.0] }\n'start.gap' = { uniform = [0.0, 2.0] }\n"
       "'start.speed' = { choice = [0.0, 5.0] }\n'rock.restitution' = { choice = [0.0, 0.3] }\n"
       "'rock.ground' = { choice = ['hard', 'scree slope', 'hard scree', 'alpine meadow'] }\n",
       {end, stopped},
       {"reached_flat", "contact_time"},
       40},
      // Rocks of drawn variants that come from one class of ground to another, some of which they have drawn.
      {"rocks_on_classes",
       "rock",
       "system = 'rock'\nscheme = 'explicit'\nseed = 7\nstep = 0.006\nend = 3.0\n"
       "[rock]\nground = 'hard'\nstop_speed = 0.3\nstop_time = 0.1\n[terrain]\nkind = 'grid'\nfile = '" +
           test::grid_file() + "'\n[terrain.ground]\nfile = '" + test::code_file() +
           "'\nnames = { 1 = 'scree slope', 2 = 'wood', 3 = 'soft' }\n"
           "area = [{ class = 'road', polygon = [[-575, -390], [-540, -380], [-550, -340], [-556, -380]] },\n"
           "        { class = 'soft', polygon = [[-560, -385], [-550, -385], [-550, -350]] }]\n"
           "[ground.wood]\nlike = 'medium'\nlayer_drag = 300.0\nlayer_height = 2.0\n"
           "[ground.road]\nrestitution = 0.3\nsoil_density = 1500.0\n"
           "[[shape]]\nname = 'a'\nkind = 'eota'\nsize = [0.93, 0.93, 0.47]\nmass = 780.0\n"
           "[[shape]]\nname = 'b'\nkind = 'irregular'\nsize = [1.0, 0.7, 0.5]\ncorners = 19\nvariants = 6\n"
           "density = 2600.0\n"
           "[vary]\n'start.shape' = { choice = ['a', 'b'] }\n'start.orientation' = 'uniform'\n"
           "'start.position.x' = { uniform = [-575.0, -550.0] }\n'start.position.y' = { uniform = [-400.0, -300.0] }\n"
           "'start.gap' = { choice = [0.0, 1.0] }\n'start.speed' = { choice = [0.0, 12.0] }\n"
           "'rock.friction_min' = { uniform = [0.2, 0.6] }\n"
           "'ground.scree slope.soil_strength' = { lognormal = [15.0, 0.5] }\n"
           "'ground.wood.layer_drag' = { choice = [0.0, 400.0] }\n"
           "'ground.road.drag' = { triangular = [0.0, 2.0, 0.5] }\n"
           "'ground.soft.scar_decay' = { normal = [100.0, 9.0], min = 50.0 }\n",
       {end, no_data},
       {"soil_share", "micro_bounces"},
       40},
  };
}

struct Case {
  const Model* model;
  Fates fates;
  Backend backend;
};
std::string title(const Case& c) { return std::string(c.fates.name) + "_" + c.backend.title(); }
void PrintTo(const Case& c, std::ostream* out) { *out << title(c); }

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const Fates& fates : all_fates())
    for (const Model& model : models())
      if (model.description.system == fates.system)
        for (const Backend& backend : test::all_backends()) all.push_back({&model, fates, backend});
  return all;
}

class EveryFate : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Bits, EveryFate, testing::ValuesIn(cases()),
                         [](const auto& info) { return title(info.param); });

/// Else a system of another name could take its fates along.
TEST(FateCases, AreOfEachFateOfASystem) {
  std::size_t expected = 0;
  for (const auto& [system, fates] : {std::pair{"slider", 5u}, {"pair", 1u}, {"disc_box", 2u}, {"rock", 3u}})
    if (find_model(system) != nullptr) expected += fates * test::all_backends().size();
  EXPECT_EQ(cases().size(), expected);
}

TEST_P(EveryFate, HasTheBitsOfScalarUnderEachScheme) {
  const Case& c = GetParam();
  if (const std::string why = c.backend.obstacle(*c.model); !why.empty()) GTEST_SKIP() << why;
  const scree::Run run = test::study(c.fates.text, c.fates.samples);
  int compared = 0;
  for (const Scheme& scheme : c.model->description.schemes) {
    SCOPED_TRACE(scheme.name);
    const SummaryTable& table = test::reference(run, compared);
    for (const Status status : c.fates.ends)
      EXPECT_THAT(table.status, testing::Contains(static_cast<std::uint32_t>(status)));
    for (const std::string& column : c.fates.columns)
      EXPECT_THAT(table.column(c.model->description.column(column)), testing::Contains(testing::Gt(0.0))) << column;
    EXPECT_EQ(digest(test::run_on(c.backend.kernel_of(*c.model), run, compared, {2, 7})), digest(table));
    ++compared;
  }
  EXPECT_EQ(compared, static_cast<int>(c.model->description.schemes.size()));
}

/// A lane of a pack waits for the others, or is solved beside them: in a block of 7 samples they meet in other ways
/// than in a block of all.
TEST_P(EveryFate, DoesNotDependOnTheSamplesBeside) {
  const Case& c = GetParam();
  if (const std::string why = c.backend.obstacle(*c.model); !why.empty()) GTEST_SKIP() << why;
  const std::uint64_t most = 4, samples = c.fates.samples - most;
  const scree::Run run = test::study(c.fates.text, c.fates.samples), part = test::study(c.fates.text, samples);
  for (int scheme = 0; scheme < static_cast<int>(c.model->description.schemes.size()); ++scheme) {
    SCOPED_TRACE(c.model->description.schemes[static_cast<std::size_t>(scheme)].name);
    const SummaryTable& all = test::reference(run, scheme);
    for (const std::uint64_t first : {std::uint64_t{2}, most})
      EXPECT_EQ(digest(test::run_on(c.backend.kernel_of(*c.model), part, scheme, {1, 7, first})),
                digest(test::part_of(all, first, samples)))
          << first;
  }
}

}  // namespace
}  // namespace scree
