// `[[barrier]]`: what is printed, kept, exported and drawn of it, and results that go on.
#include <gmock/gmock.h>

#include <algorithm>

#include "host/results/gates.hpp"
#include "host/results/hdf5.hpp"
#include "host/results/result_file.hpp"
#include "program.hpp"

namespace scree {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

/// Rocks over a low net that all break through or pass above, against a wall.
class BarriersCli : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    write("open.toml",
          "system = 'rock'\nscheme = 'implicit'\nsamples = 60\nstep = 0.005\nend = 12.0\n[terrain]\nkind = 'ramp'\n"
          "slope = 40\nheight = 40\n[rock]\nground = 'medium'\n[[shape]]\nkind = 'eota'\nsize = [1, 1, 1]\n"
          "mass = 700\n[start]\nposition = [0, 0]\ngap = 2\n[vary]\norientation = 'uniform'\n");
    write("x.toml", read("open.toml") +
                        "[[barrier]]\nname = 'low net'\nline = [[26, -20], [26, 20]]\nheight = 1\ncapacity = 30e3\n"
                        "[[barrier]]\nname = 'wall'\nline = [[40, -20], [40, 20]]\nheight = 2.5\nmargin = 0.5\n");
    write("m.toml", read("x.toml") + "[maps]\ncell = 1\nextent = [-5, -30, 90, 30]\n");
    write("g.toml", read("m.toml") + "[[gate]]\nname = 'road'\nx = 50\n");
  }
};

TEST_F(BarriersCli, AreInJsonAndInTheResult) {
  const json run = printed_json({"run", "x.toml", "-o", "r.h5"});
  const json &net = run["barriers"]["low net"], &wall = run["barriers"]["wall"];
  EXPECT_EQ(net["n"], 60);
  EXPECT_EQ(net["height"], 1.0);
  EXPECT_EQ(net["capacity"], 30e3);
  EXPECT_EQ(net["margin"], 0.0);
  EXPECT_EQ(net["base"], "ground");
  EXPECT_TRUE(wall["capacity"].is_null());
  EXPECT_EQ(wall["margin"], 0.5);
  EXPECT_EQ(net["arrived"]["count"], 60);
  EXPECT_EQ(net["caught"]["count"], 0);
  EXPECT_GT(net["breached"]["count"], 10);
  EXPECT_EQ(net["breached"]["count"].get<int>() + net["overtopped"]["count"].get<int>(), 60);
  EXPECT_EQ(wall["caught"]["count"], run["status"]["caught"]);
  EXPECT_GT(wall["caught"]["count"], 50);
  EXPECT_EQ(wall["caught"]["probability"], wall["caught"]["count"].get<double>() / 60);
  EXPECT_LT(wall["caught"]["ci95"][0], wall["caught"]["probability"]);
  EXPECT_EQ(net["statistics"]["x"]["max"], 26.0);
  EXPECT_EQ(net["exceedance"]["kinetic_energy"][0]["share"], net["arrived"]["probability"]);
  EXPECT_THAT(wall["warnings"][0].get<std::string>(), HasSubstr("barrier \"wall\": 60 samples arrived, fewer than"));
  EXPECT_FALSE(run.contains("gates"));

  EXPECT_EQ(printed_json({"info", "r.h5"})["barriers"], run["barriers"]);
  const StoredResult stored = read_result(path("r.h5"));
  const Arm& arm = stored.arms[0];
  ASSERT_EQ(arm.barrier_facts.size(), 2u);
  EXPECT_EQ(arm.barrier_facts[1].arrivals.line, (std::vector<double>{40, -20, 40, 20}));
  const h5::Handle file = h5::open_file(path("r.h5")), samples = h5::open_group(file, "samples"),
                   dataset = h5::open_array(samples, "caught_by"), of_net = h5::open_group(file, "barriers/low net");
  std::vector<std::int32_t> by(60);
  h5::read_array(samples, "caught_by", H5T_NATIVE_INT32, by.size(), by.data());
  EXPECT_EQ(by, caught_by(arm));
  EXPECT_EQ(std::ranges::count(by, 1), wall["caught"]["count"].get<std::ptrdiff_t>());
  EXPECT_EQ(h5::read_text(dataset, "flag_meanings"), "low_net wall");
  EXPECT_EQ(h5::read_text(of_net, "base"), "ground");
  const h5::Handle passings = h5::open_array(of_net, "passings");
  EXPECT_EQ(h5::read_text(passings, "flag_meanings"), "overtopped caught breached");
  // Sobol points give as many samples to each replicate.
  const json sobol = printed_json(
      {"run", "x.toml", "--set", "sampling=sobol", "--set", "replicates=8", "--samples", "64", "-o", "s.h5"});
  EXPECT_LE(sobol["barriers"]["wall"]["caught"]["ci95"][0], sobol["barriers"]["wall"]["caught"]["probability"]);
  EXPECT_EQ(printed_json({"info", "s.h5"})["barriers"], sobol["barriers"]);
  // Nothing of it where there are none.
  ASSERT_EQ(scree({"run", "open.toml", "-o", "o.h5", "--quiet"}).code, 0);
  const h5::Handle open = h5::open_file(path("o.h5"));
  EXPECT_FALSE(h5::has_link(open, "barriers"));
  EXPECT_FALSE(h5::has_link(h5::open_group(open, "samples"), "caught_by"));
}

TEST_F(BarriersCli, OfAResultAreThoseOfItsDigest) {
  ASSERT_EQ(scree({"run", "x.toml", "-o", "r.h5", "--quiet"}).code, 0);
  {
    const h5::Handle file = h5::open_to_add(path("r.h5")), wall = h5::open_group(file, "barriers/wall");
    std::vector<std::uint32_t> passings(60);
    h5::read_array(wall, "passings", H5T_NATIVE_UINT32, passings.size(), passings.data());
    passings[3] ^= mask_of(Passing::overtopped);
    ASSERT_GE(
        H5Dwrite(h5::open_array(wall, "passings"), H5T_NATIVE_UINT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, passings.data()),
        0);
  }
  const Outcome outcome = scree({"info", "r.h5"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_EQ(outcome.err, "scree: r.h5: was changed after it was written: its barriers do not give their digest\n");
}

TEST_F(BarriersCli, GoOnWhereAResultIsExtended) {
  const json whole = printed_json({"run", "g.toml"});
  ASSERT_EQ(scree({"run", "g.toml", "--samples", "17", "-o", "a.h5", "--quiet"}).code, 0);
  std::filesystem::copy_file(path("a.h5"), path("b.h5"));
  const json extended = printed_json({"run", "--extend", "a.h5", "--samples", "60"});
  for (const char* key : {"digest", "barriers", "gates", "maps", "status"}) EXPECT_EQ(extended[key], whole[key]) << key;

  // Where a barrier is not that of the config.
  {
    const h5::Handle file = h5::open_to_add(path("b.h5")), wall = h5::open_group(file, "barriers/wall");
    ASSERT_GE(H5Adelete(wall, "height"), 0);
    h5::write_attribute(wall, "height", 3.0);
  }
  const Outcome outcome = scree({"run", "--extend", "b.h5", "--samples", "60", "--quiet"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_EQ(outcome.err, "scree: b.h5: cannot be extended, its barriers are not those of its config\n");
}

TEST_F(BarriersCli, AreOnTheScreen) {
  const Outcome run = scree({"run", "x.toml", "--quiet", "-o", "r.h5"});
  EXPECT_THAT(run.out, HasSubstr("Barriers, with energy and height at first arrivals\n  barrier "));
  EXPECT_THAT(run.out, HasSubstr("low net  arrived     60 of 60 "));
  EXPECT_THAT(run.out, HasSubstr("\n           breached "));
  EXPECT_THAT(run.out, HasSubstr(" caught\n\nVerdict"));
  EXPECT_THAT(run.out, HasSubstr("\n- Barriers caught 55 of 60 samples.\n"));
  const std::string some = scree({"run", "x.toml", "--quiet", "--set", "end=60"}).out;
  EXPECT_THAT(some, HasSubstr("- Barriers caught 55 of 60 samples: run-out and resting places are those of the others "
                              "that stopped.\n"));
  const std::string all = scree({"info", "r.h5", "--all"}).out;
  EXPECT_THAT(all, HasSubstr("Barriers; energy and height at the first arrival of each sample\n"));
  EXPECT_THAT(all, HasSubstr("\n  low net: 1 m high, holds 30 kJ\n"));
  EXPECT_THAT(all, HasSubstr("\n  wall: 2.5 m high, holds all, margin 0.5 m\n"));
  EXPECT_THAT(all, HasSubstr("A sample that overtops a barrier may be caught later, or where it comes back.\n"));
  EXPECT_THAT(all, HasSubstr("warning: barrier \"wall\": 60 samples arrived, fewer than the 72 "));
  for (const Outcome& told : {scree({"check", "x.toml"}), scree({"run", "x.toml", "--dry-run"})})
    EXPECT_THAT(told.out, HasSubstr("barriers  low net (1 m high, holds 30 kJ); wall (2.5 m high, holds all, margin "
                                    "0.5 m)\n"));
  EXPECT_THAT(scree({"run", "open.toml", "--quiet", "--all"}).out, Not(HasSubstr("arrier")));
}

/// They are physics: what runs beside the samples of a run has them, without gates and maps.
TEST_F(BarriersCli, StandInFinerStepsAndVariantsToo) {
  const json compared = printed_json({"compare", "g.toml", "--steps", "0.005,0.0025", "--step-error", "-o", "c.h5"});
  for (const json& arm : compared["arms"]) EXPECT_GT(arm["status"]["caught"], 50);
  const StoredResult stored = read_result(path("c.h5"));
  for (const Arm& arm : stored.arms) {
    ASSERT_FALSE(arm.finer.empty());
    for (const Arm& finer : arm.finer) {
      EXPECT_GT(finer.statistics.status[static_cast<std::size_t>(Status::caught)], 50u);
      ASSERT_EQ(finer.barrier_facts.size(), 2u);
      EXPECT_EQ(finer.barrier_facts[1].caught.count, finer.statistics.status[static_cast<std::size_t>(Status::caught)]);
      EXPECT_TRUE(finer.gate_facts.empty());
    }
  }
  ASSERT_EQ(scree({"run", "g.toml", "--quiet", "-o", "s.h5", "--set",
                   "sensitivity={ key = 'rock.ground', values = ['soft', 'medium'] }"})
                .code,
            0);
  const StoredResult varied = read_result(path("s.h5"));
  ASSERT_EQ(varied.sensitivity.size(), 2u);
  EXPECT_EQ(varied.sensitivity[1].arm.statistics.status, varied.arms[0].statistics.status);
}

/// A table over values whose statuses are one fewer.
TEST_F(BarriersCli, AreNotMissedInAnOlderTableOfValues) {
  ASSERT_EQ(scree({"run", "open.toml", "--quiet", "-o", "s.h5", "--set",
                   "sensitivity={ key = 'rock.ground', values = ['soft', 'medium'] }"})
                .code,
            0);
  const StoredResult now = read_result(path("s.h5"));
  {
    const h5::Handle file = h5::open_to_add(path("s.h5")), group = h5::open_group(file, "sensitivity");
    const std::size_t known = status_count - 1;
    std::vector<double> all(2 * status_count), fewer;
    h5::read_array(group, "status_samples", H5T_NATIVE_DOUBLE, all.size(), all.data());
    for (std::size_t row = 0; row < 2; ++row)
      fewer.insert(fewer.end(), all.begin() + static_cast<std::ptrdiff_t>(row * status_count),
                   all.begin() + static_cast<std::ptrdiff_t>(row * status_count + known));
    ASSERT_GE(H5Ldelete(group, "status_samples", H5P_DEFAULT), 0);
    const hsize_t dims[] = {2, known};
    h5::write_array(group, "status_samples", dims, fewer);
  }
  const StoredResult older = read_result(path("s.h5"));
  ASSERT_EQ(older.sensitivity.size(), 2u);
  for (std::size_t row = 0; row < 2; ++row)
    EXPECT_EQ(older.sensitivity[row].arm.statistics.status, now.sensitivity[row].arm.statistics.status);
}

TEST_F(BarriersCli, AreExportedWithWhatBecameOfSamples) {
  const json run = printed_json({"run", "g.toml", "-o", "r.h5"});
  ASSERT_EQ(scree({"export", "r.h5", "--to", "csv", "-o", "t", "--quiet"}).code, 0);
  const std::string barriers = read("t/barriers.csv"), arrivals = read("t/arrivals.csv");
  EXPECT_THAT(barriers, HasSubstr("wkt,name,height,capacity,margin,base,samples,arrived,arrived_probability,"
                                  "arrived_low,arrived_high,caught,"));
  EXPECT_THAT(barriers, HasSubstr("\n\"LINESTRING (26 -20, 26 20)\",low net,1,30000,0,nan,60,60,1,"));
  EXPECT_THAT(barriers, HasSubstr("\n\"LINESTRING (40 -20, 40 20)\",wall,2.5,nan,0.5,nan,60,60,1,"));
  EXPECT_THAT(arrivals, testing::StartsWith("x,y,z,barrier,became,sample,crossings,time,offset,height,vx,"));
  const auto rows = [&](const std::string& of) {
    int count = 0;
    for (std::size_t at = 0; (at = arrivals.find(of, at)) != std::string::npos; ++at) ++count;
    return count;
  };
  EXPECT_EQ(rows(",low net,breached,"), run["barriers"]["low net"]["breached"]["count"]);
  EXPECT_EQ(rows(",low net,overtopped,"), run["barriers"]["low net"]["overtopped"]["count"]);
  EXPECT_EQ(rows(",wall,caught,"), run["barriers"]["wall"]["caught"]["count"]);
  EXPECT_THAT(read("t/crossings.csv"), Not(HasSubstr("wall")));

  // The layer of the maps has each of them.
  ASSERT_EQ(scree({"export", "r.h5", "--to", "asc", "-o", "a", "--layers", "caught", "--quiet"}).code, 0);
  std::istringstream file(read("a/caught.asc"));
  std::string word;
  for (int k = 0; k < 12; ++k) file >> word;  // the header
  double sum = 0;
  for (double value = 0; file >> value;) sum += value;
  EXPECT_EQ(sum, run["status"]["caught"].get<double>());

  // What there is, is said.
  ASSERT_EQ(scree({"run", "x.toml", "--quiet", "-o", "n.h5"}).code, 0);
  EXPECT_EQ(scree({"export", "n.h5", "--to", "geotiff", "-o", "g"}).err,
            "scree: n.h5: has no maps, which --to geotiff writes; it has barriers, for --to gpkg, geojson or csv\n");
  ASSERT_EQ(scree({"run", "g.toml", "--no-maps", "--set", "gate=[{name='g', line=[[50, -9], [50, 9]]}]", "--quiet",
                   "-o", "b.h5"})
                .code,
            0);
  EXPECT_EQ(scree({"export", "b.h5", "--to", "asc", "-o", "g"}).err,
            "scree: b.h5: has no maps, which --to asc writes; it has gates and barriers, for --to gpkg, geojson or "
            "csv\n");
}

TEST_F(BarriersCli, AreOnThePage) {
  ASSERT_EQ(scree({"run", "g.toml", "--quiet", "-o", "r.h5"}).code, 0);
  ASSERT_EQ(scree({"report", "r.h5", "--quiet"}).code, 0);
  const std::string html = read("r.html");
  EXPECT_THAT(html, HasSubstr("<h2>Gates and barriers</h2>"));
  EXPECT_THAT(html, HasSubstr("low net: 1 m high, holds 30 kJ."));
  EXPECT_THAT(html, HasSubstr("breached"));
  EXPECT_THAT(html, HasSubstr("Barriers are black and broken lines, gates are red and whole."));
  EXPECT_THAT(html, HasSubstr("A barrier is a surface without depth, sag or posts"));
  // Two barriers and a gate on the map and in each curve.
  EXPECT_THAT(html, HasSubstr("\"name\":\"wall\",\"line\":[40.0,-20.0,40.0,20.0],\"barrier\":true"));
  if (!has_browser()) return;
  const std::string document =
      shell(browser + " --virtual-time-budget=8000 --window-size=1280,900 --dump-dom 'file://" + path("r.html") + "'");
  for (const char* said : {"data-errors=\"0\"", "data-ready=\"yes\"", "class=\"barrier back\"", "class=\"gate back\""})
    EXPECT_THAT(document, HasSubstr(said));
  ASSERT_EQ(scree({"run", "x.toml", "--quiet", "-o", "n.h5"}).code, 0);
  ASSERT_EQ(scree({"report", "n.h5", "--quiet"}).code, 0);
  EXPECT_THAT(read("n.html"), HasSubstr("<h2>Barriers</h2>"));
}

}  // namespace
}  // namespace scree
