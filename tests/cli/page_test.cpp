// `scree report`: one HTML file that needs no network, opened in a browser where there is one.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <sstream>

#include "host/results/result_file.hpp"
#include "program.hpp"

namespace scree {
namespace {

using testing::HasSubstr;
using testing::Not;

class PageCli : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    write("x.toml",
          "title = 'A slope </script><b>'\nsystem = 'rock'\nscheme = ['explicit', 'implicit']\nsamples = 60\nstep = "
          "0.005\nend = 60.0\n[terrain]\nkind = 'ramp'\nslope = 40.0\nheight = 20.0\n[[shape]]\nkind = 'cuboid'\nsize "
          "= [1, 0.8, 0.6]\nmass = 900\n[start]\nposition = [0, 0]\ngap = 0.5\n[vary]\norientation = 'uniform'\n"
          "[maps]\ncell = 1.0\nextent = [-10, -30, 80, 30]\n[[gate]]\nname = 'road'\nline = [[15, -30], [15, 30]]\n");
  }
  Outcome reported(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "report");
    return scree(arguments);
  }
  /// The document after its scripts ran in a browser without a network. A busy machine may need more than the browser's
  /// own time to unpack a page.
  std::string in_browser(const std::string& page, int width = 1280) const {
    std::string document;
    for (int budget = 8000; budget <= 64000 && document.find("data-ready=\"yes\"") == std::string::npos; budget *= 2)
      document = shell(browser + " --virtual-time-budget=" + std::to_string(budget) +
                       " --window-size=" + std::to_string(width) + ",900 --dump-dom 'file://" + path(page) + "'");
    return document;
  }
  static std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++found;
    return found;
  }
  /// What follows each `before` up to the next quotation mark.
  static std::vector<std::string> all_of(const std::string& text, const std::string& before) {
    std::vector<std::string> found;
    for (std::size_t at = 0; (at = text.find(before, at)) != std::string::npos;) {
      at += before.size();
      found.push_back(text.substr(at, text.find('"', at) - at));
    }
    return found;
  }
  /// The opening tag of a figure, with what its script says of it.
  static std::string figure_of(const std::string& document, const std::string& id) {
    const std::size_t at = document.find("id=\"figure-" + id + "\"");
    return at == std::string::npos ? "" : document.substr(at, document.find('>', at) - at);
  }
};

TEST_F(PageCli, SaysInWordsTablesAndPicturesWhatTheResultHolds) {
  ASSERT_EQ(scree({"compare", "x.toml", "--quiet", "-o", "r.h5"}).code, 0);
  const Outcome outcome = reported({"r.h5"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("report: r.html\n"));
  const std::string html = read("r.html");
  EXPECT_LT(html.size(), 5'000'000u);
  std::size_t at = 0;
  for (const char* heading :
       {"What it says", "Map", "How the samples differ", "Gates", "Along the way", "Paths", "In three dimensions",
        "kinetic_energy_max by runout", "All numbers", "What is left out", "How to make it again"}) {
    const std::size_t found = html.find(std::string("<h2>") + heading, at);
    ASSERT_NE(found, std::string::npos) << heading;
    at = found;
  }
  // Nothing is loaded, and nothing of the config is markup.
  for (const char* outside : {"src=\"http", "href=", "</script><b>"}) EXPECT_THAT(html, Not(HasSubstr(outside)));
  EXPECT_THAT(html, HasSubstr("<h1>A slope &lt;/script&gt;&lt;b&gt;</h1>"));
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
  EXPECT_THAT(html, HasSubstr("Mike Bostock"));
  // Its numbers are those of the result.
  const nlohmann::json info = nlohmann::json::parse(scree({"info", "r.h5", "--json"}).out);
  for (const char* arm : {"explicit", "implicit"}) {
    EXPECT_THAT(html, HasSubstr(std::string(arm) + ": digest " + info["arms"][arm]["digest"].get<std::string>()));
    EXPECT_THAT(html, HasSubstr("maps digest " + info["arms"][arm]["maps"]["digest"].get<std::string>()));
  }
  EXPECT_THAT(html, HasSubstr("60 samples: "));
  // Without scripts there is a picture of the first layer, and every figure has a table.
  EXPECT_THAT(html, HasSubstr("alt=\"reach_probability of explicit: "));
  EXPECT_EQ(count(html, "<figure "), count(html, "<summary>The same as a table</summary>"));
  for (const std::string& id : all_of(html, "id=\"")) EXPECT_EQ(count(html, "id=\"" + id + "\""), 1u) << id;
}

TEST_F(PageCli, SaysEachThingOnceAndTablesHaveTheUnitsOfTheirFigures) {
  ASSERT_EQ(scree({"run", "x.toml", "--scheme", "implicit", "--quiet", "-o", "r.h5"}).code, 0);
  ASSERT_EQ(reported({"r.h5", "--quiet", "--paths", "20"}).code, 0);
  const std::string html = read("r.html");
  EXPECT_THAT(html, HasSubstr("<p class=\"lead\">Half of the 60 samples, all stopped, have a runout of at most "));
  EXPECT_THAT(html, HasSubstr("what smaller steps would, <code>scree converge</code> tells."));
  EXPECT_THAT(html, HasSubstr(" kJ</td>"));
  EXPECT_THAT(html, Not(HasSubstr(" J</td>")));
  EXPECT_THAT(html, HasSubstr("<td class=\"word\">kinetic_energy (kJ)</td>"));
  // With rocks that are stopped by the end of the run.
  ASSERT_EQ(
      scree({"run", "x.toml", "--scheme", "implicit", "--set", "end=7.0", "--quiet", "--force", "-o", "r.h5"}).code, 0);
  ASSERT_EQ(reported({"r.h5", "--quiet", "--force", "--paths", "0"}).code, 0);
  const nlohmann::json status = nlohmann::json::parse(scree({"info", "r.h5", "--json"}).out)["status"];
  const int stopped = status["stopped"], ended = status["end_time"];
  ASSERT_GT(stopped, 0);
  ASSERT_GT(ended, 0);
  const std::string lead = read("r.html");
  EXPECT_THAT(lead,
              HasSubstr("Half of the " + std::to_string(stopped) + " samples that stopped have a runout of at most "));
  EXPECT_THAT(lead, HasSubstr(" m; the others: " + std::to_string(ended) + " end_time.</p>"));
}

TEST_F(PageCli, QuantilesHaveIntervalsAndDesignsTheirFactors) {
  write("g.toml", read("x.toml") + "design = 'uni11211'\n");
  ASSERT_EQ(scree({"run", "g.toml", "--scheme", "implicit", "--quiet", "-o", "r.h5"}).code, 0);
  ASSERT_EQ(reported({"r.h5", "--quiet", "--paths", "0"}).code, 0);
  const std::string html = read("r.html");
  // Of 60 values a median lies between the 22nd and the 39th with 95 %, and 95 % has no upper end.
  const StoredResult stored = read_result(path("r.h5"));
  const SummaryTable& table = stored.arms[0].table;
  const int runout = stored.description->column("runout");
  std::vector<double> sorted;
  for (std::uint64_t i = 0; i < table.samples; ++i) sorted.push_back(table.at(runout, i));
  std::ranges::sort(sorted);
  ASSERT_EQ(sorted.size(), 60u);
  const std::size_t at = html.find("<td class=\"word\">runout</td>");
  ASSERT_NE(at, std::string::npos);
  const std::string row = html.substr(at, html.find("</tr>", at) - at);
  EXPECT_THAT(row, HasSubstr(" to ?)</td>"));
  // n, mean, its interval, sd, 5 %
  std::size_t cell = 0;
  for (int k = 0; k < 6; ++k) cell = row.find("<td>", cell + 1);
  double median = 0, low = 0, high = 0;
  ASSERT_EQ(std::sscanf(row.c_str() + cell, "<td>%lf (%lf to %lf)<", &median, &low, &high), 3) << row;
  const double last_digit = 0.05 * (sorted[38] - sorted[21]) / 2;
  EXPECT_NEAR(median, (sorted[29] + sorted[30]) / 2, last_digit);
  EXPECT_NEAR(low, sorted[21], last_digit);
  EXPECT_NEAR(high, sorted[38], last_digit);
  EXPECT_THAT(html, HasSubstr("energy, kJ: p99 (95 %)</th>"));
  // In the words of info --all.
  const std::string all = scree({"info", "r.h5", "--all"}).out;
  const std::size_t from = html.find("<li>road: block of ");
  ASSERT_NE(from, std::string::npos);
  const std::string factors = html.substr(from + 10, html.find("</li>", from) - from - 10);
  EXPECT_THAT(factors, HasSubstr("block of 900.0 kg and radius "));
  EXPECT_THAT(factors, HasSubstr(", g_e 1.200"));
  std::string flat;
  std::istringstream words(all);
  for (std::string word; words >> word;) flat += word + " ";
  EXPECT_THAT(flat, HasSubstr("not a design: " + factors + ": "));
}

TEST_F(PageCli, HasARowForEachShapeWhereSamplesAreGroupedByThem) {
  ASSERT_EQ(scree({"run", "x.toml", "--quiet", "-o", "r.h5", "--scheme", "implicit", "--set", "group_by=shape", "--set",
                   "shape=[{name='flat', kind='cuboid', size=[1, 1, 0.4], mass=900}, {name='round', kind='cuboid', "
                   "size=[0.8, 0.8, 0.8], mass=900}]",
                   "--set", "vary.start.shape={choice=['flat', 'round']}"})
                .code,
            0);
  ASSERT_EQ(reported({"r.h5"}).code, 0);
  const std::string html = read("r.html");
  const std::size_t from = html.find("<h2>By shape</h2>"), to = html.find("<h2>", from + 1);
  ASSERT_NE(from, std::string::npos);
  const std::string section = html.substr(from, to - from);
  const nlohmann::json info = nlohmann::json::parse(scree({"info", "r.h5", "--json"}).out);
  for (const char* shape : {"flat", "round"}) {
    EXPECT_GE(count(section, std::string(">") + shape + "<"), 3u);
    EXPECT_THAT(section, HasSubstr(">" + info["groups"][shape]["statistics"]["runout"]["n"].dump() + "<"));
  }
  ASSERT_EQ(scree({"run", "x.toml", "--quiet", "-o", "u.h5", "--scheme", "implicit"}).code, 0);
  ASSERT_EQ(reported({"u.h5"}).code, 0);
  EXPECT_THAT(read("u.html"), Not(HasSubstr("<h2>By ")));
}

TEST_F(PageCli, DrawsItsFiguresInABrowserWithoutANetwork) {
  if (!has_browser()) GTEST_SKIP() << "there is no chromium to open pages with";
  ASSERT_EQ(scree({"compare", "x.toml", "--quiet", "-o", "r.h5"}).code, 0);
  ASSERT_EQ(reported({"r.h5", "--quiet", "--paths", "20"}).code, 0);
  const std::string html = read("r.html");
  const std::size_t caption = html.find(" paths, replayed, ");
  ASSERT_NE(caption, std::string::npos);
  const std::size_t from = html.find_last_of(">\"", caption) + 1;
  const std::string paths = html.substr(from, caption - from);
  EXPECT_GE(std::stoi(paths), 20);
  for (const int width : {390, 1280}) {
    SCOPED_TRACE(width);
    const std::string document = in_browser("r.html", width);
    for (const char* said : {"data-errors=\"0\"", "data-ready=\"yes\"", "data-wide=\"0\""})
      EXPECT_THAT(document, HasSubstr(said));
    // A line of each path, two gates, and a dot for each sample of both arms.
    for (const auto& [figure, marks] : {std::pair{"paths", paths},
                                        {"view", paths},
                                        {"gates", "2"},
                                        {"heights", "2"},
                                        {"offsets", "2"},
                                        {"own", "120"}})
      EXPECT_THAT(figure_of(document, figure), HasSubstr("data-marks=\"" + std::string(marks) + "\"")) << figure;
    EXPECT_THAT(figure_of(document, "map"), HasSubstr("data-layer=\"reach_probability\""));
    EXPECT_THAT(figure_of(document, "bands"), Not(HasSubstr("data-marks=\"0\"")));
    // What is drawn is said: a name for each drawing.
    EXPECT_EQ(count(document, "<svg "), count(document, "<svg viewBox"));
    EXPECT_GE(count(document, "role=\"img\" aria-label=\""), 12u);
  }
}

TEST_F(PageCli, ItsAddressSaysWhichSampleAndLayerAreShown) {
  if (!has_browser()) GTEST_SKIP() << "there is no chromium to open pages with";
  ASSERT_EQ(scree({"compare", "x.toml", "--quiet", "-o", "r.h5"}).code, 0);
  ASSERT_EQ(reported({"r.h5", "--quiet", "--paths", "4"}).code, 0);
  const nlohmann::json info = nlohmann::json::parse(scree({"info", "r.h5", "--json"}).out);
  const nlohmann::json& different = info["most_different"]["implicit"][0];
  const std::string sample = std::to_string(different["sample"].get<int>());
  const std::string document = in_browser("r.html#sample=" + sample + "&layer=kinetic_energy_p95&arm=implicit");
  EXPECT_THAT(document, HasSubstr("data-errors=\"0\""));
  EXPECT_THAT(document, HasSubstr("data-selected=\"" + sample + "\""));
  EXPECT_THAT(figure_of(document, "map"), HasSubstr("data-layer=\"kinetic_energy_p95\""));
  EXPECT_THAT(document, HasSubstr("kinetic_energy_p95 of implicit: "));
  EXPECT_THAT(document, HasSubstr("1: up to 1 kJ"));
  for (const char* arm : {"explicit", "implicit"}) {
    EXPECT_THAT(document, HasSubstr(std::string("scree replay r.h5 --scheme ") + arm + " --sample " + sample + "<"));
    char value[64];
    std::snprintf(value, sizeof value, "%s: stopped, %s %.4g", arm, different["column"].get<std::string>().c_str(),
                  different[std::string(arm) == "implicit" ? "arm" : "baseline"].get<double>());
    EXPECT_THAT(document, HasSubstr(value));
  }
  // The arm decides.
  EXPECT_THAT(in_browser("r.html#layer=deposits&arm=explicit"), HasSubstr("deposits of explicit: "));
}

TEST_F(PageCli, ReadsCellsByKeysAndSelectsByClicks) {
  if (!has_browser()) GTEST_SKIP() << "there is no chromium to open pages with";
  ASSERT_EQ(scree({"compare", "x.toml", "--quiet", "-o", "r.h5"}).code, 0);
  ASSERT_EQ(reported({"r.h5", "--quiet", "--paths", "20"}).code, 0);
  // From the middle of 90 x 60 cells of 1 m to that of the release at (0, 0); then a bar, then the nearest sample.
  std::string html = read("r.html");
  html +=
      "<script>addEventListener('load', async () => {\n"
      "while (root.dataset.ready !== 'yes') await new Promise((done) => setTimeout(done, 50));\n"
      "const map = document.querySelector('#figure-map svg'), say = (key, value) => { root.dataset[key] = value; };\n"
      "const key = (name) => map.dispatchEvent(new KeyboardEvent('keydown', { key: name }));\n"
      "for (let k = 0; k < 35; ++k) key('ArrowLeft');\n"
      "key('ArrowUp');\n"
      "say('cell', document.querySelector('#figure-map .readout').textContent);\n"
      "const bar = document.querySelector('#figure-distribution rect.button'), box = bar.getBoundingClientRect();\n"
      "bar.dispatchEvent(new MouseEvent('click', { clientX: box.left + 2, clientY: box.top + 5 }));\n"
      "say('bar', document.getElementById('selection').textContent);\n"
      "say('barred', selected.length);\n"
      "key('Enter');\n"
      "say('entered', selected.length);\n"
      "say('address', location.hash);\n"
      "});</script>\n";
  write("k.html", html);
  const std::string document = in_browser("k.html");
  EXPECT_THAT(document, HasSubstr("data-errors=\"0\""));
  const nlohmann::json info = nlohmann::json::parse(scree({"info", "r.h5", "--json"}).out);
  EXPECT_EQ(info["arms"]["explicit"]["maps"]["n"], 60);
  EXPECT_THAT(document,
              HasSubstr("data-cell=\"x 0.5 m, y 0.5 m; ground 19.6 m; reach_probability: 1 (95 %: 0.94 to 1), "
                        "class 7; 60 of 60 samples pass.\""));
  // The bar is that of a single value: all samples of both arms that enter it.
  const std::string bar = all_of(document, "data-bar=\"")[0];
  EXPECT_THAT(bar, HasSubstr(" samples, runout from "));
  EXPECT_THAT(document, HasSubstr("data-entered=\"1\""));
  EXPECT_THAT(document, HasSubstr("data-address=\"#sample="));
}

TEST_F(PageCli, TellsZeroFromNoneInEachLayer) {
  if (!has_browser()) GTEST_SKIP() << "there is no chromium to open pages with";
  ASSERT_EQ(scree({"run", "x.toml", "--scheme", "implicit", "--set", "maps.release_frequency=0.2", "--set",
                   "maps.danger.names=['<low>', 'high']", "--set",
                   "maps.danger.matrix=[['none','none','<low>'],['high','high','high'],['high','high','high']]",
                   "--quiet", "-o", "r.h5"})
                .code,
            0);
  ASSERT_EQ(reported({"r.h5", "--quiet", "--paths", "0", "--layers",
                      "arrival_time_min,kinetic_energy_T300,intensity_T300,passages,reach_probability,jump_p95,danger"})
                .code,
            0);
  // The cell of the release, 35 to the west and one to the north of the middle, and the corner that nobody reaches.
  write("k.html", read("r.html") +
                      "<script>addEventListener('load', async () => {\n"
                      "while (root.dataset.ready !== 'yes') await new Promise((done) => setTimeout(done, 50));\n"
                      "const map = document.querySelector('#figure-map svg'), read = "
                      "document.querySelector('#figure-map .readout');\n"
                      "const key = (name) => map.dispatchEvent(new KeyboardEvent('keydown', { key: name }));\n"
                      "for (let k = 0; k < 35; ++k) key('ArrowLeft');\n"
                      "key('ArrowUp');\n"
                      "const layers = [...document.querySelectorAll('input[name=layer]')], there = {}, nowhere = {};\n"
                      "for (const input of layers) { input.click(); there[input.value] = read.textContent; }\n"
                      "for (let k = 0; k < 90; ++k) { key('ArrowLeft'); key('ArrowUp'); }\n"
                      "for (const input of layers) { input.click(); nowhere[input.value] = read.textContent; }\n"
                      "root.dataset.there = Object.values(there).join('|');\n"
                      "root.dataset.nowhere = Object.values(nowhere).join('|');\n"
                      "});</script>\n");
  const std::string document = in_browser("k.html");
  EXPECT_THAT(document, HasSubstr("data-errors=\"0\""));
  const std::string there = all_of(document, "data-there=\"")[0], nowhere = all_of(document, "data-nowhere=\"")[0];
  EXPECT_THAT(there, HasSubstr("; arrival_time_min: 0 s, class 1;"));
  EXPECT_THAT(there, HasSubstr("; intensity_T300: weak, below 30 kJ;"));
  EXPECT_THAT(there, HasSubstr("; danger: &lt;low&gt;;"));
  EXPECT_THAT(there, HasSubstr("; passages: 60, class 7."));
  for (const char* said :
       {"; arrival_time_min: none;", "; kinetic_energy_T300: 0 kJ;", "; intensity_T300: 0;", "; danger: 0;",
        "; passages: 0.", "; reach_probability: 0 (95 %: 0 to 0.06", "; jump_p95: none;"})
    EXPECT_THAT(nowhere, HasSubstr(said));
  // Of 60 samples a p95 has no upper end.
  EXPECT_THAT(there, HasSubstr(" to ?), class "));
}

TEST_F(PageCli, DrawsWhereSamplesWereCaughtApartFromWhereTheyStopped) {
  if (!has_browser()) GTEST_SKIP() << "there is no chromium to open pages with";
  write("b.toml",
        read("x.toml") + "[[barrier]]\nname = 'fence'\nline = [[24, -30], [24, 0]]\nheight = 5.0\ncapacity = 1e9\n");
  ASSERT_EQ(scree({"run", "b.toml", "--scheme", "implicit", "--quiet", "-o", "r.h5"}).code, 0);
  ASSERT_EQ(reported({"r.h5", "--quiet", "--paths", "0"}).code, 0);
  const nlohmann::json status = nlohmann::json::parse(scree({"info", "r.h5", "--json"}).out)["status"];
  const std::size_t caught = status["caught"], stopped = status["stopped"];
  ASSERT_GT(caught, 0u);
  ASSERT_GT(stopped, 0u);
  const std::string document = in_browser("r.html");
  EXPECT_THAT(document, HasSubstr("data-errors=\"0\""));
  EXPECT_THAT(document, HasSubstr("Small squares: where barriers caught samples."));
  const auto drawn = [&](const std::string& kind) {
    const std::size_t at = document.find("<path class=\"" + kind + "\"");
    const std::string path = document.substr(at, document.find('>', at) - at);
    return count(path, "h.01");
  };
  EXPECT_EQ(drawn("dots"), stopped);
  EXPECT_EQ(drawn("dots caught"), caught);
}

/// Points of a page are kept less an origin, which must not show.
TEST_F(PageCli, TellsWhereItsPathsEnd) {
  ASSERT_EQ(scree({"run", "x.toml", "--scheme", "implicit", "--samples", "8", "--quiet", "-o", "r.h5", "--set",
                   "start.position=[7, 1012]", "--set", "gate=[]", "--set", "maps.extent=[-10, 980, 80, 1040]"})
                .code,
            0);
  ASSERT_EQ(reported({"r.h5", "--quiet"}).code, 0);
  const std::string html = read("r.html");
  const std::string table = html.substr(html.find("The table has where they end"));
  ASSERT_EQ(scree({"export", "r.h5", "--to", "csv", "-o", "d", "--quiet"}).code, 0);
  std::istringstream lines(read("d/deposition.csv"));
  std::string line;
  std::getline(lines, line);
  for (int sample = 0; std::getline(lines, line); ++sample) {
    std::string start = "<td class=\"word\">implicit</td><td class=\"word\">" + std::to_string(sample) + "</td>";
    std::size_t at = table.find(start);
    ASSERT_NE(at, std::string::npos) << line;
    at += start.size();
    double x = 0, y = 0, z = 0, found[3] = {};
    ASSERT_EQ(std::sscanf(line.c_str(), "%lf,%lf,%lf,", &x, &y, &z), 3) << line;
    ASSERT_EQ(std::sscanf(table.c_str() + at, "<td>%lf</td><td>%lf</td><td>%lf</td>", found, found + 1, found + 2), 3);
    EXPECT_NEAR(found[0], x, 0.006) << line;
    EXPECT_NEAR(found[1], y, 0.006) << line;
    EXPECT_NEAR(found[2], z, 0.006) << line;
  }
}

/// What one arm has alone is drawn with that arm.
TEST_F(PageCli, DrawsBarriersAndForestsOfEachArm) {
  const std::string more =
      "[[barrier]]\nname = 'fence'\nline = [[24, -30], [24, 0]]\nheight = 5.0\non = false\n[[forest]]\npolygon = "
      "[[30, -9], [40, -9], [40, 9]]\nstems = 300\ndiameter = 0.3\ncapacity = 1e5\n";
  write("b.toml", read("x.toml") + more);
  ASSERT_EQ(scree({"compare", "b.toml", "--set", "scheme='implicit'", "--samples", "20", "--arms",
                   "barrier.on=false,true", "--quiet", "-o", "r.h5"})
                .code,
            0);
  ASSERT_EQ(reported({"r.h5", "--quiet"}).code, 0);
  const std::string html = read("r.html");
  EXPECT_THAT(html,
              HasSubstr("\"name\":\"fence\",\"line\":[24.0,-30.0,24.0,0.0],\"barrier\":true,\"arms\":[\"on true\"]"));
  EXPECT_THAT(html, HasSubstr("\"name\":\"road\",\"line\":[15.0,-30.0,15.0,30.0],\"arms\":[\"on false\",\"on true\"]"));
  EXPECT_THAT(html, HasSubstr("\"corners\":[30.0,-9.0,40.0,-9.0,40.0,9.0],\"arms\":[\"on false\",\"on true\"]"));
  EXPECT_THAT(html, HasSubstr("Barriers are black and broken lines, gates are red and whole. Forest is green"));
}

TEST_F(PageCli, ArmsOfOtherValuesHaveCommandsThatWork) {
  ASSERT_EQ(scree({"compare", "x.toml", "--set", "scheme='implicit'", "--arms", "rock.ground=medium,hard", "--set",
                   "samples=8", "--quiet", "-o", "r.h5"})
                .code,
            0);
  ASSERT_EQ(reported({"r.h5", "--quiet", "--paths", "4"}).code, 0);
  const std::string html = read("r.html");
  // Every arm is made again by a command of its own, with the digest that the page says.
  int again = 0;
  const nlohmann::ordered_json info = nlohmann::ordered_json::parse(scree({"info", "r.h5", "--json"}).out);
  std::vector<std::string> commands;
  for (std::size_t at = 0; (at = html.find("<li>Again: scree ", at)) != std::string::npos; ++at) {
    const std::string command = html.substr(at + 17, html.find("</li>", at) - at - 17);
    commands.push_back(command);
  }
  ASSERT_EQ(commands.size(), 2u);
  for (const auto& [name, arm] : info["arms"].items()) {
    const nlohmann::json ran =
        nlohmann::json::parse(shell(std::string(SCREE_PROGRAM) + " " + commands[static_cast<std::size_t>(again++)] +
                                    " --json --quiet 2>/dev/null"));
    EXPECT_EQ(ran["digest"], arm["digest"]) << name;
    EXPECT_EQ(ran["maps"]["digest"], arm["maps"]["digest"]) << name;
  }
  const std::size_t replay = html.find("scree replay r.h5 --scheme ");
  ASSERT_NE(replay, std::string::npos);
  EXPECT_THAT(html.substr(replay, 60), HasSubstr("--scheme 'ground "));
  EXPECT_THAT(shell(std::string(SCREE_PROGRAM) + " replay r.h5 --scheme 'ground hard' --sample 1 -o p.csv"),
              HasSubstr("equal those of r.h5 bit for bit"));
}

TEST_F(PageCli, SaysFirstWhetherTargetsWereMet) {
  write("p.toml", scree({"init", "projectile"}).out);
  for (const auto& [target, code, words] : {std::tuple{"mean(range) +- 10 %", 0, "Targets, met at look "},
                                            {"mean(range) +- 0.01 %", 5, "Targets, not met at "}}) {
    const Outcome ran = scree({"run", "p.toml", "--samples", "50", "--until", target, "--at-most", "400", "--quiet",
                               "--force", "-o", "u.h5"});
    ASSERT_EQ(ran.code, code) << ran.err;
    ASSERT_EQ(reported({"u.h5", "--quiet", "--force", "--paths", "0"}).code, 0);
    const std::string html = read("u.html");
    const std::size_t from = html.find("<h2>What it says</h2>"), to = html.find("<h2>", from + 1);
    const std::string section = html.substr(from, to - from);
    // As on the terminal.
    const std::size_t at = ran.out.find(words);
    ASSERT_NE(at, std::string::npos) << ran.out;
    EXPECT_THAT(section, HasSubstr("<p>" + ran.out.substr(at, ran.out.find('\n', at) - at) + ":</p>"));
    EXPECT_EQ(count(section, " samples mean(range) +- 0.01 % came to +- "), code == 0 ? 0u : 1u);
  }
}

TEST_F(PageCli, OfAShardHasTheNumbersAndTheCommandOfItsRun) {
  write("p.toml", scree({"init", "projectile"}).out);
  ASSERT_EQ(
      scree({"run", "p.toml", "--samples", "300", "--seed", "5", "--shard", "2/3", "--quiet", "-o", "part.h5"}).code,
      0);
  const std::string part = "part.h5.shards/00002-of-00003.h5";
  ASSERT_EQ(reported({part, "--quiet", "-o", "part.html"}).code, 0);
  const std::string html = read("part.html");
  EXPECT_THAT(html, HasSubstr("100 samples (shard 2/3: 200 to 299 of 300) of projectile"));
  const std::size_t at = html.find("<li>Again: scree ") + 17;
  const std::string again = html.substr(at, html.find("</li>", at) - at);
  EXPECT_THAT(again, HasSubstr(" --samples 300 --shard 2/3 --seed 5 -o again.h5"));
  shell(std::string(SCREE_PROGRAM) + " " + again + " --quiet");
  const auto digest = [&](const std::string& file) {
    return nlohmann::json::parse(scree({"info", file, "--json"}).out)["digest"];
  };
  EXPECT_EQ(digest("again.h5.shards/00002-of-00003.h5"), digest(part));
  if (!has_browser()) GTEST_SKIP() << "there is no chromium to open pages with";
  EXPECT_THAT(in_browser("part.html#sample=250"),
              testing::AllOf(HasSubstr("data-errors=\"0\""), HasSubstr(">stopped, range "),
                             HasSubstr("scree replay " + part + " --sample 250<")));
  EXPECT_THAT(in_browser("part.html#sample=50"),
              HasSubstr("There is no sample 50: they are numbered from 200 to 299."));
}

TEST_F(PageCli, JoinsCellsWhereThereAreTooManyAndKeepsWhereTheyAre) {
  // 9 cells wide and 1100 high, joined by threes of halvings.
  ASSERT_EQ(
      scree({"run", "x.toml", "--scheme", "implicit", "--set", "maps.extent=[-1,-20,8,1080]", "--quiet", "-o", "r.h5"})
          .code,
      0);
  ASSERT_EQ(reported({"r.h5", "--quiet", "--paths", "2"}).code, 0);
  const std::string html = read("r.html");
  EXPECT_THAT(html, HasSubstr("\"north\":1080.0,\"cell\":4.0,\"columns\":3,\"rows\":275,"));
  EXPECT_THAT(html, HasSubstr("Cells are joined to 4.000 m"));
}

TEST_F(PageCli, StaysBelowFiveMegabytesWithEveryLayer) {
  write("w.toml",
        "system = 'slider'\nscheme = 'rk4'\nsamples = 4000\nstep = 0.1\nend = 400.0\n[slider]\nfriction = "
        "0.02\n[terrain]\nkind = 'quadric'\na = 1e-4\ne = -5e-2\nf = 100.0\n[vary]\n\"start.velocity.y\" = { normal = "
        "[10.0, 3.0] }\n\"start.velocity.x\" = { normal = [0.0, 5.0] }\n[maps]\ncell = 1.0\nextent = [-250, -50, 250, "
        "450]\n");
  ASSERT_EQ(scree({"run", "w.toml", "--quiet", "-o", "w.h5"}).code, 0);
  const nlohmann::json info = nlohmann::json::parse(scree({"info", "w.h5", "--json"}).out);
  std::string layers;
  for (const auto& [name, layer] : info["maps"]["layers"].items()) layers += (layers.empty() ? "" : ",") + name;
  ASSERT_EQ(reported({"w.h5", "--quiet", "--layers", layers}).code, 0);
  const std::string html = read("w.html");
  EXPECT_LT(html.size(), 5'000'000u);
  EXPECT_THAT(html, HasSubstr("Values are rounded to one of 254, so that the page is smaller."));
}

TEST_F(PageCli, EverySystemHasAPageWithPathsAndAFigureOfItsOwn) {
  const nlohmann::json systems = nlohmann::json::parse(scree({"list", "--json"}).out)["systems"];
  ASSERT_GE(systems.size(), 11u);
  for (const nlohmann::json& system : systems) {
    const std::string name = system["name"];
    SCOPED_TRACE(name);
    write(name + ".toml", scree({"init", name}).out);
    ASSERT_EQ(scree({"run", name + ".toml", "--samples", "8", "--quiet", "-o", name + ".h5"}).code, 0);
    const Outcome outcome = reported({name + ".h5", "--paths", "4", "--quiet"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const std::string html = read(name + ".html");
    EXPECT_THAT(html, HasSubstr("<h2>Paths</h2>"));
    EXPECT_THAT(html, HasSubstr("id=\"figure-own\""));
    // Of many bodies some are shown, which is said.
    EXPECT_EQ(count(html, " bodies of each") > 0, name == "disk" || name == "hard_discs");
    if (name == "disk") {
      EXPECT_THAT(html, HasSubstr("\"of_paths\":true"));
    }
    // Of four paths there is nothing to draw in it.
    EXPECT_THAT(html, Not(HasSubstr("id=\"figure-bands\"")));
    if (name == "rock" || name == "slider") {
      EXPECT_THAT(html, HasSubstr("<li>There are no quantiles along the way of "));
    }
  }
}

/// All in one browser, in frames as wide as a telephone and as a screen. A figure is drawn where it says so of its
/// marks and has coloured pixels: axes are black and grey. The folder of the configs, which pages name, is wider than a
/// telephone.
TEST_F(PageCli, OfEverySystemIsDrawnWithTheNumbersOfItsRun) {
  const std::string folder = "studies_of_every_system_there_is_with_the_values_that_it_has_by_default/";
  std::filesystem::create_directory(path(folder));
  const nlohmann::json systems = nlohmann::json::parse(scree({"list", "--json"}).out)["systems"];
  std::map<std::string, nlohmann::json> runs;
  for (const nlohmann::json& system : systems) {
    const std::string name = system["name"];
    write(folder + name + ".toml", scree({"init", name}).out);
    const Outcome ran =
        scree({"run", folder + name + ".toml", "--samples", "40", "--quiet", "--json", "-o", name + ".h5"});
    ASSERT_EQ(ran.code, 0) << name << ": " << ran.err;
    runs[name] = nlohmann::json::parse(ran.out);
    ASSERT_EQ(reported({name + ".h5", "--paths", "8", "--quiet"}).code, 0) << name;
  }
  ASSERT_GE(runs.size(), 11u);
  for (const auto& [name, run] : runs) {
    SCOPED_TRACE(name);
    const std::string html = read(name + ".html");
    const std::size_t all = html.find("<summary>Every column of ");
    ASSERT_NE(all, std::string::npos);
    std::size_t compared = 0;
    for (const auto& [column, s] : run["statistics"].items()) {
      if (s["n"] == 0) continue;
      SCOPED_TRACE(column);
      const std::size_t row = html.find("<td class=\"word\">" + column + "</td>", all);
      ASSERT_NE(row, std::string::npos);
      std::uint64_t n = 0;
      double mean = 0;
      ASSERT_EQ(std::sscanf(html.c_str() + html.find("<td>", row), "<td>%lu</td><td>%lf</td>", &n, &mean), 2);
      EXPECT_EQ(n, s["n"]);
      // Numbers are shown to two digits of the half width of their interval, or to four.
      const double exact = s["mean"], half = s["ci95"][0].is_null() ? 0.0 : s["ci95"][1].get<double>() - exact;
      EXPECT_NEAR(mean, exact, std::max(0.06 * half, 5e-4 * std::fabs(exact)));
      ++compared;
    }
    EXPECT_GT(compared, 1u);
  }
  if (!has_browser()) GTEST_SKIP() << "there is no chromium to open pages with";
  std::string names;
  for (const auto& [name, run] : runs) names += (names.empty() ? "'" : ", '") + name + "'";
  write("all.html", R"(<body><pre id="said"></pre><script>
const coloured = async (svg, styles) => {
  const copy = svg.cloneNode(true), box = svg.getBoundingClientRect();
  const style = document.createElementNS('http://www.w3.org/2000/svg', 'style');
  style.textContent = styles;
  copy.prepend(style);
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', box.width);
  copy.setAttribute('height', box.height);
  const picture = new Image(), canvas = document.createElement('canvas'), context = canvas.getContext('2d');
  picture.src = 'data:image/svg+xml,' + encodeURIComponent(new XMLSerializer().serializeToString(copy));
  await picture.decode();
  [canvas.width, canvas.height] = [box.width, box.height];
  context.drawImage(picture, 0, 0);
  const p = context.getImageData(0, 0, canvas.width, canvas.height).data;
  let count = 0;
  for (let i = 0; i < p.length; i += 4)
    if (p[i + 3] > 40 && Math.max(p[i], p[i + 1], p[i + 2]) - Math.min(p[i], p[i + 1], p[i + 2]) > 40) ++count;
  return count;
};
const opened = async (name, width) => {
  const frame = document.createElement('iframe');
  frame.style = `width: ${width}px; height: 900px; border: 0`;
  frame.src = name + '.html';
  document.body.append(frame);
  const root = () => frame.contentDocument && frame.contentDocument.documentElement;
  while (!root() || root().dataset.ready !== 'yes') await new Promise((done) => setTimeout(done, 20));
  const page = frame.contentDocument, said = { name, width, figures: {} };
  Object.assign(said, { errors: root().dataset.errors, wide: root().scrollWidth - root().clientWidth });
  for (const figure of page.querySelectorAll('figure')) {
    let pixels = 0;
    for (const svg of figure.querySelectorAll('svg'))
      pixels += await coloured(svg, page.querySelector('style').textContent);
    said.figures[figure.id] = { marks: Number(figure.dataset.marks), pixels };
  }
  frame.remove();
  return said;
};
(async () => {
  const all = [];
  for (const name of [)" +
                        names + R"(])
    for (const width of [390, 1280]) all.push(await opened(name, width));
  document.getElementById('said').textContent = JSON.stringify(all);
})();
</script></body>)");
  const std::string document =
      shell(browser +
            " --allow-file-access-from-files --virtual-time-budget=60000 --window-size=1400,900 --dump-dom 'file://" +
            path("all.html") + "'");
  const std::size_t from = document.find("<pre id=\"said\">") + 15, to = document.find("</pre>", from);
  const nlohmann::json pages = nlohmann::json::parse(document.substr(from, to - from), nullptr, false);
  ASSERT_EQ(pages.size(), 2 * runs.size()) << document.substr(0, 2000);
  for (const nlohmann::json& page : pages) {
    SCOPED_TRACE(page.dump());
    EXPECT_EQ(page["errors"], "0");
    EXPECT_EQ(page["wide"], 0);
    for (const char* figure : {"figure-distribution", "figure-paths", "figure-own"})
      EXPECT_TRUE(page["figures"].contains(figure)) << figure;
    EXPECT_EQ(page["figures"].contains("figure-bands"), page["name"] == "rock" || page["name"] == "slider");
    for (const auto& [id, figure] : page["figures"].items()) {
      EXPECT_GT(figure["marks"], 0) << id;
      if (id == "figure-view") continue;  // which is no svg
      EXPECT_GT(figure["pixels"], 0) << id;
    }
  }
}

TEST_F(PageCli, RefusesWhatItCannotDoInOneLine) {
  ASSERT_EQ(scree({"run", "x.toml", "--scheme", "implicit", "--no-maps", "--quiet", "-o", "r.h5"}).code, 0);
  ASSERT_EQ(reported({"r.h5", "--quiet", "--paths", "0"}).code, 0);
  EXPECT_THAT(read("r.html"), Not(HasSubstr("<h2>Paths</h2>")));
  Outcome outcome = reported({"r.h5"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("r.html"));
  outcome = reported({"r.h5", "--force", "--layers", "passages"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err, "scree: --layers: r.h5 has no maps\n");
  EXPECT_EQ(reported({"none.h5"}).code, 3);
}

TEST_F(PageCli, SaysWhyItHasNoPathsWhereTheConfigCannotBeRunAgain) {
  std::string grid = "ncols 30\nnrows 20\nxllcorner -10\nyllcorner -40\ncellsize 4\nNODATA_value -9999\n";
  for (int row = 0; row < 20; ++row)
    for (int column = 0; column < 30; ++column)
      grid += std::to_string(100.0 - 2.0 * column) + (column == 29 ? "\n" : " ");
  write("t.asc", grid);
  std::string config = read("x.toml");
  const std::string ramp = "kind = 'ramp'\nslope = 40.0\nheight = 20.0\n";
  config.replace(config.find(ramp), ramp.size(), "kind = 'grid'\nfile = 't.asc'\n");
  write("y.toml", config);
  const Outcome ran = scree({"run", "y.toml", "--scheme", "implicit", "--quiet", "--no-maps", "-o", "r.h5"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  ASSERT_EQ(scree({"run", "y.toml", "--scheme", "implicit", "--quiet", "-o", "m.h5"}).code, 0);
  std::filesystem::remove(path("t.asc"));
  const Outcome outcome = reported({"r.h5"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("There are no paths: r.h5: its config cannot be run again"));
  EXPECT_THAT(outcome.err, HasSubstr("There is no map: r.h5: its config cannot be run again"));
  EXPECT_THAT(read("r.html"), HasSubstr("There are no paths: r.h5: its config cannot be run again"));
  // Maps have the heights of their cells.
  const Outcome with_maps = reported({"m.h5"});
  ASSERT_EQ(with_maps.code, 0) << with_maps.err;
  EXPECT_THAT(with_maps.err, HasSubstr("There are no paths"));
  EXPECT_THAT(with_maps.err, Not(HasSubstr("There is no map")));
  EXPECT_THAT(read("m.html"), HasSubstr("id=\"figure-map\""));
}

}  // namespace
}  // namespace scree
