// What the program reads: a config and its data files once, however many runs a command makes of them.
#include <sys/inotify.h>

#include "host/common/error.hpp"
#include "program.hpp"

namespace scree {
namespace {

class Derived : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    write("grid.asc", "ncols 2\nnrows 2\nxllcenter -50\nyllcenter -50\ncellsize 100\n0 -80\n0 -80\n");
    std::string study = small_study;
    const std::string ramp = "kind = \"ramp\"\nslope = 40.0\nheight = 5.0\n";
    study.replace(study.find(ramp), ramp.size(), "kind = \"grid\"\nfile = \"grid.asc\"\n");
    write("study.toml", study + "[sensitivity]\nkey = \"rock.ground\"\nvalues = \"all\"\n");
  }
  /// How often a command opens and closes config and grid together. Without the closing the system would count an
  /// opening that follows one of the same file with it.
  int opened(std::vector<std::string> arguments, int code = 0) const {
    const int events = inotify_init1(IN_NONBLOCK);
    EXPECT_GE(events, 0);
    for (const char* name : {"study.toml", "grid.asc"})
      EXPECT_GE(inotify_add_watch(events, path(name).c_str(), IN_OPEN | IN_CLOSE_NOWRITE), 0);
    for (const char* argument : {"--set", "end=0.1", "--quiet"}) arguments.emplace_back(argument);
    const Outcome outcome = scree(arguments);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    int count = 0;
    // Events of a watched file have no name, so all are of one size.
    for (inotify_event event; ::read(events, &event, sizeof event) == sizeof event;) ++count;
    close(events);
    return count;
  }
};

TEST_F(Derived, RunsOpenNoFileAgain) {
  const int once = opened({"run", "study.toml", "--no-sensitivity"});
  EXPECT_GE(once, 4) << "config and grid, opened and closed";
  EXPECT_EQ(opened({"run", "study.toml"}), once) << "a run for each class of ground";
  EXPECT_EQ(opened({"compare", "study.toml", "--schemes", "explicit,implicit", "--steps", "0.002,0.001,0.004",
                    "--step-error"}),
            once);
  EXPECT_EQ(opened({"converge", "study.toml"}), once);
  EXPECT_EQ(
      opened({"run", "study.toml", "--no-sensitivity", "--until", "mean(speed_max) +- 1e-9 m/s", "--at-most", "40"},
             static_cast<int>(Exit::unmet)),
      once)
      << "two looks, and what their samples are warned of";
}

}  // namespace
}  // namespace scree
