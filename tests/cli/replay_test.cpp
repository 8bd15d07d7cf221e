// `scree replay` of many samples: their paths in one file, rows by time, events, and the comparison with a result.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "host/config/config.hpp"
#include "host/model/digest.hpp"
#include "host/results/hdf5.hpp"
#include "host/results/result_file.hpp"
#include "program.hpp"

namespace scree {
namespace {

using testing::HasSubstr;

class Replays : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    write("study.toml", small_study);
  }
  static std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> all;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) all.push_back(line);
    return all;
  }
  /// The lines of a path with the sample's number before each.
  std::vector<std::string> numbered(const std::string& sample, const std::vector<std::string>& more) const {
    std::vector<std::string> arguments{"replay", "study.toml", "--sample", sample};
    arguments.insert(arguments.end(), more.begin(), more.end());
    std::vector<std::string> rows = lines(scree(arguments).out);
    for (std::string& row : rows) row = (&row == &rows[0] ? "sample" : sample) + "," + row;
    return rows;
  }
  static std::vector<double> times(const std::vector<std::string>& rows) {
    std::vector<double> found;
    for (const std::string& row : rows)
      if (row[0] != 't') found.push_back(std::strtod(row.c_str(), nullptr));
    return found;
  }
};

TEST_F(Replays, ARangeIsItsSamplesOneAfterTheOther) {
  const std::vector<std::string> every{"--every", "50"};
  for (const char* option : {"--sample", "--samples"}) {
    const Outcome many = scree({"replay", "study.toml", option, "12:14,3", "--every", "50", "-o", "p.csv", "--force"});
    ASSERT_EQ(many.code, 0) << many.err;
    std::vector<std::string> wanted;
    for (const char* sample : {"12", "13", "3"}) {
      const std::vector<std::string> rows = numbered(sample, every);
      wanted.insert(wanted.end(), rows.begin() + !wanted.empty(), rows.end());
    }
    EXPECT_EQ(lines(read("p.csv")), wanted);
    EXPECT_EQ(many.err, "3 samples (implicit): 3 stopped, " + std::to_string(wanted.size() - 1) + " rows in p.csv\n");
    EXPECT_EQ(scree({"replay", "study.toml", option, "12:14,3", "--every", "50"}).out, read("p.csv"));
  }
}

TEST_F(Replays, ARaggedFileHoldsTheSamePathsAsTheCsvFile) {
  ASSERT_EQ(scree({"replay", "study.toml", "--sample", "5:15", "--every", "0.1", "-o", "p.csv"}).code, 0);
  ASSERT_EQ(scree({"replay", "study.toml", "--sample", "5:15", "--every", "0.1", "-o", "p.h5"}).code, 0);
  std::vector<std::string> rows = lines(read("p.csv"));
  const h5::Handle file = h5::open_file(path("p.h5"));
  std::vector<std::int64_t> sizes(10), samples(10);
  h5::read_array(file, "row_size", H5T_NATIVE_INT64, sizes.size(), sizes.data());
  h5::read_array(file, "sample", H5T_NATIVE_INT64, samples.size(), samples.data());
  EXPECT_EQ(h5::read_text(h5::open_array(file, "row_size"), "sample_dimension"), "obs");
  const std::size_t all = rows.size() - 1;
  std::vector<double> time(all), z(all);
  h5::read_array(file, "time", H5T_NATIVE_DOUBLE, all, time.data());
  h5::read_array(file, "z", H5T_NATIVE_DOUBLE, all, z.data());
  std::size_t row = 0;
  for (std::size_t s = 0; s < samples.size(); ++s)
    for (std::int64_t k = 0; k < sizes[s]; ++k, ++row) {
      double x = 0, y = 0, at = 0, up = 0;
      int sample = -1;
      ASSERT_EQ(std::sscanf(rows[row + 1].c_str(), "%d,%lf,%lf,%lf,%lf", &sample, &at, &x, &y, &up), 5);
      EXPECT_EQ(sample, samples[s]);
      EXPECT_EQ(at, time[row]);
      EXPECT_EQ(up, z[row]);
    }
  EXPECT_EQ(row, all);
}

TEST_F(Replays, RowsByTimeAreTheFirstStepsAtOrAfterItsMultiples) {
  for (const double apart : {0.1, 0.3, 0.0015, 0.005}) {
    const std::vector<double>
        all = times(lines(scree({"replay", "study.toml", "--sample", "0"}).out)),
        some =
            times(lines(scree({"replay", "study.toml", "--sample", "0", "--every", std::to_string(apart) + "s"}).out));
    std::vector<double> wanted{0};
    const long units = std::lround(apart * 1e4), last = static_cast<long>(all.size()) - 1;  // of 0.1 ms
    for (long k = 1, before = 0; k <= last; ++k) {
      const long multiples = 20 * k / units;  // that lie in the first k steps of 2 ms
      if (multiples > before || k == last) wanted.push_back(all[static_cast<std::size_t>(k)]);
      before = multiples;
    }
    EXPECT_EQ(some, wanted) << apart;
  }
  EXPECT_EQ(scree({"replay", "study.toml", "--sample", "0", "--every", "0.1"}).out,
            scree({"replay", "study.toml", "--sample", "0", "--every", "50"}).out);
}

TEST_F(Replays, AnyNumberOfStepsMayLieBetweenRows) {
  const std::vector<std::string> all = lines(scree({"replay", "study.toml", "--sample", "0"}).out);
  for (const std::size_t apart : {1u, 7u, 1000u, 1009u, 2002u, 100000u}) {
    std::vector<std::string> wanted{all[0]};
    for (std::size_t step = 0; step + 1 < all.size(); ++step)
      if (step % apart == 0 || step + 2 == all.size()) wanted.push_back(all[step + 1]);
    EXPECT_EQ(lines(scree({"replay", "study.toml", "--sample", "0", "--every", std::to_string(apart)}).out), wanted);
  }
}

TEST_F(Replays, ShowsWhatSamplesDraw) {
  const std::vector<std::string> mixed{"--set", "vary.\"rock.ground\"={ choice = [\"soft\", \"hard\"] }", "--set",
                                       "vary.\"start.volume\"={ uniform = [0.1, 1] }"};
  const auto with_laws = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), mixed.begin(), mixed.end());
    return scree(arguments);
  };
  ASSERT_EQ(with_laws({"run", "study.toml", "-o", "r.h5", "--quiet"}).code, 0);
  const Outcome all = scree({"replay", "r.h5", "--samples", "0:20", "--inputs", "--quiet"});
  ASSERT_EQ(all.code, 0) << all.err;
  const std::vector<std::string> rows = lines(all.out);
  ASSERT_EQ(rows.size(), 21u);
  EXPECT_EQ(rows[0],
            "sample,rock.ground,start.orientation.w [1],start.orientation.x [1],start.orientation.y [1],"
            "start.orientation.z [1],start.volume [m^3]");
  const h5::Handle result = h5::open_file(path("r.h5")), inputs = h5::open_group(result, "inputs");
  std::vector<int> ground(20);
  std::vector<double> volume(20);
  h5::read_array(inputs, "rock.ground", H5T_NATIVE_INT, 20, ground.data());
  h5::read_array(inputs, "start.volume", H5T_NATIVE_DOUBLE, 20, volume.data());
  for (std::size_t i = 0; i < 20; ++i) {
    const std::string& row = rows[i + 1];
    EXPECT_THAT(row, testing::StartsWith(std::to_string(i) + (ground[i] == 0 ? ",soft," : ",hard,")));
    EXPECT_EQ(std::strtod(row.substr(row.rfind(',') + 1).c_str(), nullptr), volume[i]);
  }
  EXPECT_GT(std::count(ground.begin(), ground.end(), 0), 0);
  EXPECT_LT(std::count(ground.begin(), ground.end(), 0), 20);
  // The same of some samples, of a config, beside paths and in words.
  EXPECT_EQ(scree({"replay", "r.h5", "--samples", "7,3", "--inputs"}).out,
            rows[0] + "\n" + rows[8] + "\n" + rows[4] + "\n");
  EXPECT_EQ(with_laws({"replay", "study.toml", "--samples", "0:20", "--inputs", "--quiet"}).out, all.out);
  for (const char* option : {"--inputs", "--every=0.5"}) {
    ASSERT_EQ(scree({"replay", "r.h5", "--samples", "7,3", option, "-o", "p.h5", "--force"}).code, 0);
    const h5::Handle file = h5::open_file(path("p.h5")), group = h5::open_group(file, "inputs");
    std::vector<double> two(2);
    h5::read_array(group, "start.volume", H5T_NATIVE_DOUBLE, 2, two.data());
    EXPECT_THAT(two, testing::ElementsAre(volume[7], volume[3])) << option;
  }
  EXPECT_THAT(
      scree({"replay", "r.h5", "--sample", "3", "-o", "p.csv"}).err,
      HasSubstr(std::string("\ndrawn: rock.ground = ") + (ground[3] == 0 ? "soft" : "hard") + ", start.orient"));
  expect_refusal({"replay", "r.h5", "--sample", "3", "--inputs", "--events"}, 2,
                 "replay: --inputs shows what samples draw, without a step, so --events and --every have no meaning; "
                 "see scree replay --help");
}

TEST_F(Replays, WritesAllInputsHoweverManyAndQuotesNames) {
  std::string config = scree({"init", "balls"}).out;
  write("b.toml", config);
  const std::vector<std::string> many{"--set", "balls.balls=40",
                                      "--set", "balls.radius=0.005",
                                      "--set", "samples=3",
                                      "--set", "vary.\"balls.mass\"={ uniform = [1, 2] }",
                                      "--set", "vary.\"start.velocity\"={ uniform = [-1, 1] }"};
  std::vector<std::string> run{"run", "b.toml", "-o", "b.h5", "--quiet"},
      replay{"replay", "b.toml", "--samples", "0:3", "--inputs", "-o", "all.h5"};
  run.insert(run.end(), many.begin(), many.end());
  replay.insert(replay.end(), many.begin(), many.end());
  const Outcome outcome = scree(run);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  ASSERT_EQ(scree(replay).code, 0);
  const h5::Handle result = h5::open_file(path("b.h5")), all = h5::open_file(path("all.h5"));
  const h5::Handle left_out = h5::open_group(result, "inputs"), inputs = h5::open_group(all, "inputs");
  EXPECT_EQ(h5::read_text(left_out, "left_out"),
            "80 numbers a sample are not stored: scree replay --inputs draws them");
  EXPECT_EQ(h5::read_texts(inputs, "names").size(), 80u);

  write("two.toml", std::string(small_study) +
                        "\n\"start.shape\" = { choice = [\"EOTA221\", \"a,b\"] }\n[[shape]]\n"
                        "name = \"a,b\"\nkind = \"cuboid\"\nsize = [1, 1, 1]\nmass = 1\n");
  EXPECT_THAT(scree({"replay", "two.toml", "--samples", "0:20", "--inputs"}).out, HasSubstr(",\"a,b\"\n"));
}

TEST_F(Replays, ComparesEverySampleOfAResult) {
  ASSERT_EQ(scree({"run", "study.toml", "-o", "r.h5"}).code, 0);
  const std::size_t columns = read_result(path("r.h5")).description->columns.size();
  const Outcome equal = scree({"replay", "r.h5", "--samples", "0:20", "--every", "1.0", "-o", "p.csv"});
  EXPECT_EQ(equal.code, 0);
  EXPECT_EQ(equal.err, "20 samples (implicit): 20 stopped, " + std::to_string(lines(read("p.csv")).size() - 1) +
                           " rows in p.csv\n20 samples (implicit): status and " + std::to_string(columns) +
                           " columns equal those of r.h5 bit for bit\n");
  // A result whose numbers are not those of its config.
  StoredResult stored = read_result(path("r.h5"));
  Arm& arm = stored.arms[0];
  const std::size_t runout = static_cast<std::size_t>(stored.description->column("runout"));
  for (const std::size_t sample : {4u, 9u}) arm.table.values[runout * arm.table.samples + sample] = 1;
  arm.digest = digest(arm.table);
  const scree::Run run = load_run_text(stored.run.config_path, stored.run.config_text, stored.run.overlays);
  write_result(path("doctored.h5"), run, stored.arms, false);
  const Outcome outcome = scree({"replay", "doctored.h5", "--samples", "0:20", "--every", "1.0", "-o", "q.csv"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, testing::ContainsRegex("\nscree: 2 of 20 samples \\(implicit\\) differ from doctored.h5 "
                                                  "\\(scree [^)]*\\), first sample 4: runout was 1, is [0-9.]+\n$"));
  EXPECT_EQ(read("q.csv"), read("p.csv"));
  EXPECT_EQ(scree({"replay", "doctored.h5", "--samples", "10:20", "--every", "1.0", "-o", "p.csv", "--force"}).code, 0);
}

TEST_F(Replays, SaysWhichSelectionsThereAre) {
  const std::string allowed =
      "must be the number of a sample, from 0, or a range A:B with A < B, which ends before sample B; several by "
      "commas, as 3,7,10:20; see scree replay --help";
  for (const char* wrong : {"5:2", "5:5", "x", "-1", "1:", ":3", "1:2:3", "1e3"})
    expect_refusal({"replay", "study.toml", "--sample", wrong}, 2,
                   std::string("replay: --sample ") + wrong + ", " + allowed);
  expect_refusal({"replay", "study.toml", "--samples", "1,x"}, 2, "replay: --samples 1,x, x " + allowed);
  expect_refusal({"replay", "study.toml", "--samples", "0:99999"}, 2,
                 "study.toml: --samples 0:99999, must be within 0:20");
  expect_refusal({"replay", "study.toml", "--sample", "3,2:5"}, 2, "study.toml: --sample 3,2:5, names sample 3 twice");
  expect_refusal({"replay", "study.toml", "--sample", "3", "--samples", "0:2"}, 2,
                 "replay: --sample and --samples 0:2 both choose samples; see scree replay --help");
  // A plain number is the size of the ensemble.
  EXPECT_EQ(scree({"replay", "study.toml", "--sample", "25", "--samples", "30"}).code, 0);
  for (const char* wrong : {"0", "-1", "0.0", "-0.5", "x", "s", "1e3", "0s", "nan.", "1.5.2"})
    expect_refusal({"replay", "study.toml", "--sample", "3", "--every", wrong}, 2,
                   std::string("replay: --every ") + wrong +
                       ", must be a whole number of steps >= 1 or a time > 0 in seconds, as 0.1 or 2s; see scree "
                       "replay --help");
}

TEST_F(Replays, ListsImpactsAndHowEachSampleEnded) {
  ASSERT_EQ(scree({"replay", "study.toml", "--sample", "0:20", "--events", "-o", "e.csv"}).code, 0);
  const std::vector<std::string> events = lines(read("e.csv"));
  EXPECT_THAT(events[0], testing::StartsWith("sample,time [s],event,body,x [m],y [m],"));
  // An impact is a step with contacts after one without.
  std::vector<std::string> wanted;
  const std::vector<std::string> rows = lines(scree({"replay", "study.toml", "--sample", "7"}).out);
  const auto commas_before = [](const std::string& text) { return std::count(text.begin(), text.end(), ','); };
  const auto place = commas_before(rows[0].substr(0, rows[0].find(",contacts") + 1));
  const auto contacts_of = [&](const std::string& row) {
    std::size_t begin = 0;
    for (auto k = place; k > 0; --k) begin = row.find(',', begin) + 1;
    return row.substr(begin, row.find(',', begin) - begin);
  };
  bool touches = true;
  for (std::size_t k = 1; k < rows.size(); ++k) {
    const std::size_t comma = rows[k].find(',');
    const bool now = contacts_of(rows[k]) != "0";
    if (now && !touches && k > 1)
      wanted.push_back("7," + rows[k].substr(0, comma) + ",impact,," + rows[k].substr(comma + 1));
    touches = now;
    if (k + 1 == rows.size())
      wanted.push_back("7," + rows[k].substr(0, comma) + ",stopped,," + rows[k].substr(comma + 1));
  }
  EXPECT_GT(wanted.size(), 2u);
  std::vector<std::string> found;
  for (const std::string& event : events)
    if (event.starts_with("7,")) found.push_back(event);
  EXPECT_EQ(found, wanted);

  ASSERT_EQ(scree({"replay", "study.toml", "--sample", "0:20", "--events", "-o", "e.h5"}).code, 0);
  const h5::Handle file = h5::open_file(path("e.h5")), group = h5::open_group(file, "events");
  const std::size_t count = events.size() - 1;
  std::vector<std::int64_t> sample(count);
  std::vector<double> time(count);
  h5::read_array(group, "sample", H5T_NATIVE_INT64, count, sample.data());
  h5::read_array(group, "time", H5T_NATIVE_DOUBLE, count, time.data());
  for (std::size_t k = 0; k < count; ++k)
    EXPECT_THAT(events[k + 1], testing::StartsWith(std::to_string(sample[k]) + ","));
  EXPECT_EQ(std::strtod(events[1].c_str() + 2, nullptr), time[0]);
  expect_refusal({"replay", "study.toml", "--sample", "3", "--events", "--every", "2"}, 2,
                 "replay: --events takes the place of rows, so --every has no meaning; see scree replay --help");
}

/// How often each event happened, by event and body.
std::map<std::string, int> count_events(const std::string& csv) {
  std::map<std::string, int> counts;
  std::istringstream stream(csv);
  std::string line;
  std::getline(stream, line);
  while (std::getline(stream, line)) {
    std::istringstream cells(line);
    std::string cell, event, body;
    std::getline(cells, cell, ',');
    std::getline(cells, cell, ',');
    std::getline(cells, event, ',');
    std::getline(cells, body, ',');
    ++counts[event + body];
  }
  return counts;
}

/// Up a slope and back: the mass turns once, and goes on down.
TEST_F(Replays, ListsEveryHitThatASystemCounts) {
  const std::vector<std::pair<std::string, std::vector<const char*>>> systems{
      {"hard_discs", {"pair_hits", "wall_hits"}},
      {"balls", {"pair_hits", "wall_hits"}},
      {"scatter", {"plane_hits", "ball_hits"}}};
  for (const auto& [system, columns] : systems) {
    SCOPED_TRACE(system);
    write("c.toml", scree({"init", system}).out);
    ASSERT_EQ(scree({"run", "c.toml", "--samples", "3", "-o", "c.h5", "--force", "--quiet"}).code, 0);
    const StoredResult result = read_result(path("c.h5"));
    const SummaryTable& table = result.arms[0].table;
    std::map<std::string, double> hits;
    for (const std::string& row : lines(scree({"replay", "c.h5", "--samples", "0:3", "--events", "--quiet"}).out))
      if (row.find(",impact,") != std::string::npos) ++hits[row.substr(0, 1)];
    double all = 0;
    for (std::uint64_t i = 0; i < 3; ++i) {
      double counted = 0;
      for (const char* column : columns) counted += table.at(result.description->column(column), i);
      EXPECT_EQ(hits[std::to_string(i)], counted);
      all += counted;
    }
    EXPECT_GT(all, 0);
  }
}

TEST_F(Replays, ListsTheTurnOfASlider) {
  write("slider.toml", R"(system = "slider"
scheme = "rk4"
samples = 1
step = 0.01
end = 2.0
[slider]
friction = 0.1
[terrain]
kind = "plane"
slope = 30.0
[start]
speed = 2.0
heading = 3.141592653589793
)");
  const Outcome outcome = scree({"replay", "slider.toml", "--sample", "0", "--events"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(count_events(outcome.out), (std::map<std::string, int>{{"turn", 1}, {"end_time", 1}})) << outcome.out;
}

/// A pair comes to rest mass by mass, and the last one to be held ends it.
TEST_F(Replays, ListsWhenTheMassesOfAPairStick) {
  write("pair.toml", scree({"init", "pair"}).out);
  const Outcome outcome = scree({"replay", "pair.toml", "--sample", "0", "--events"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(count_events(outcome.out), (std::map<std::string, int>{{"stick1", 1}, {"stick2", 1}, {"stopped", 1}}));
}

/// The link of this one goes round three times to the right, and not back.
TEST_F(Replays, ListsTheTurnsOfALink) {
  ASSERT_EQ(scree({"run", config("pair_chaotic.toml"), "--samples", "2", "--no-sensitivity", "-o", "r.h5"}).code, 0);
  const StoredResult stored = read_result(path("r.h5"));
  const double turns = stored.arms[0].table.at(stored.description->column("link_turns"), 1);
  const std::map<std::string, int> counts = count_events(scree({"replay", "r.h5", "--sample", "1", "--events"}).out);
  EXPECT_EQ(counts.at("link_turn"), std::floor(std::fabs(turns))) << turns;
}

}  // namespace
}  // namespace scree
