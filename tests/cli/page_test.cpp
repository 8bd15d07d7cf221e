// `scree report`: one HTML file that needs no network, opened in a browser where there is one.
#include <gmock/gmock.h>

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
  /// The document after its scripts ran in a browser without a network.
  std::string in_browser(const std::string& page) const {
    return shell(
        "chromium --headless --no-sandbox --disable-gpu --host-resolver-rules='MAP * ~NOTFOUND' "
        "--virtual-time-budget=8000 --dump-dom 'file://" +
        path(page) + "'");
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
       {"What it says", "Map", "How the samples differ", "Gates", "Paths", "kinetic_energy_max by runout",
        "All numbers", "What is left out", "How to make it again"}) {
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
  EXPECT_THAT(html, HasSubstr("alt=\"reach_probability of implicit: "));
}

TEST_F(PageCli, DrawsItsFiguresInABrowserWithoutANetwork) {
  if (std::system("chromium --version > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "there is no chromium to open pages with";
  ASSERT_EQ(scree({"compare", "x.toml", "--quiet", "-o", "r.h5"}).code, 0);
  ASSERT_EQ(reported({"r.h5", "--quiet", "--paths", "20"}).code, 0);
  const std::string document = in_browser("r.html");
  EXPECT_THAT(document, HasSubstr("data-errors=\"0\""));
  EXPECT_THAT(document, HasSubstr("data-ready=\"yes\""));
  // 20 paths, two gates, and a dot for each sample of both arms.
  for (const auto& [figure, marks] : {std::pair{"paths", "20"}, {"gates", "2"}, {"own", "120"}}) {
    const std::size_t at = document.find(std::string("id=\"figure-") + figure + "\"");
    ASSERT_NE(at, std::string::npos) << figure;
    EXPECT_THAT(document.substr(at, document.find('>', at) - at),
                HasSubstr(std::string("data-marks=\"") + marks + "\""))
        << figure;
  }
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
  const Outcome ran = scree({"run", "y.toml", "--scheme", "implicit", "--quiet", "-o", "r.h5"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  std::filesystem::remove(path("t.asc"));
  const Outcome outcome = reported({"r.h5", "--quiet"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(read("r.html"), HasSubstr("There are no paths: r.h5: its config cannot be run again"));
}

}  // namespace
}  // namespace scree
