// The choice of a backend.
#include "host/execute.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "host/config.hpp"

namespace scree {
namespace {

Run small_run() {
  return load_run_text("x.toml",
                       "system = 'rock'\nscheme = 'implicit'\nsamples = 3\nstep = 0.01\nend = 1.0\n[terrain]\n"
                       "kind = 'plane'\nslope = 30\n[[shape]]\nkind = 'cuboid'\nsize = [1, 1, 1]\nmass = 1\n",
                       {});
}

TEST(Obstacle, IsWhatTheBackendThrows) {
  Engine engine;
  engine.kernel = [](const Job&) { throw std::runtime_error("no kernel image is available"); };
  EXPECT_EQ(obstacle(small_run(), engine), "no kernel image is available");
}

TEST(Obstacle, IsLookedForWithoutIntegratingASample) {
  const scree::Run run = small_run();
  Engine engine;
  engine.kernel = [](const Job& job) {
    EXPECT_TRUE(job.control->cancel);
    EXPECT_EQ(job.count, 1u);
  };
  EXPECT_EQ(obstacle(run, engine), "");
}

TEST(Obstacle, IsNoneOfTheScalarBackend) {
  const scree::Run run = small_run();
  EngineOptions options;
  options.backend = "scalar";
  EXPECT_EQ(obstacle(run, choose_engine(run, options)), "");
}

}  // namespace
}  // namespace scree
