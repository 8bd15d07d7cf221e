// The choice of a backend.
#include "host/execute.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "host/config.hpp"
#include "host/error.hpp"
#include "kernels/cpu_threads.hpp"

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

TEST(Obstacle, IsNoneOfTheCpuBackends) {
  const scree::Run run = small_run();
  for (const char* backend : {"scalar", "pack"}) {
    EngineOptions options;
    options.backend = backend;
    EXPECT_EQ(obstacle(run, choose_engine(run, options)), "") << backend;
  }
}

TEST(ChooseEngine, TakesTheInstructionsThatAreAskedForAndElseTheBestOnes) {
  const scree::Run run = small_run();
  EngineOptions options;
  options.backend = "pack";
  options.threads = 3;
  std::string best;
  for (int isa = 0; isa < isa_count; ++isa) {
    options.isa = isa_names[isa];
    if (run.model->kernels.pack[isa] == nullptr || !scree_processor_has(isa)) {
      EXPECT_THROW(choose_engine(run, options), Error) << options.isa;
      continue;
    }
    best = "pack (" + std::string(isa_titles[isa]) + "), 3 threads";
    EXPECT_EQ(choose_engine(run, options).text(), best);
  }
  options.isa = "auto";
  EXPECT_EQ(choose_engine(run, options).text(), best);
}

TEST(ChooseEngine, SaysWhatABuildOrAProcessorLacks) {
  scree::Run run = small_run();
  Model without = *run.model;
  without.kernels.pack[static_cast<int>(Isa::avx512)] = nullptr;
  run.model = &without;
  EngineOptions options;
  options.isa = "avx512";
  try {
    choose_engine(run, options);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code, Exit::device);
    EXPECT_STREQ(error.what(), "backend pack: --isa avx512: this program was built without AVX-512 kernels");
  }
}

}  // namespace
}  // namespace scree
