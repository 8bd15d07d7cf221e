// The choice of a backend, and runs that go on from finished samples.
#include "host/engine/execute.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "host/common/error.hpp"
#include "host/config/config.hpp"
#include "host/engine/groups.hpp"
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

/// Draws that wait for one another, so that each thread takes a part.
namespace together {

std::atomic<int> waiting;
const Model* model;

void draw(const void* ensemble, std::uint64_t sample, double* values) {
  thread_local bool here = false;
  if (!here) ++waiting;
  here = true;
  for (int i = 0; i < 1000 && waiting < 2; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  model->draw(ensemble, sample, values);
}

}  // namespace together

TEST(ShapeGroups, AreDrawnOnAllThreads) {
  scree::Run run = load_run_text(
      "x.toml",
      "system = 'rock'\nscheme = 'implicit'\nsamples = 10000\nstep = 0.01\nend = 1.0\ngroup_by = 'shape'\n[terrain]\n"
      "kind = 'plane'\nslope = 30\n[[shape]]\nname = 'a'\nkind = 'cuboid'\nsize = [1, 1, 1]\nmass = 1\n[[shape]]\n"
      "name = 'b'\nkind = 'cuboid'\nsize = [2, 1, 1]\nmass = 1\n[vary]\n'start.shape' = { choice = ['a', 'b'] }\n",
      {});
  const std::vector<std::byte> ensemble = run.model->ensemble(run.spec);
  const std::vector<int> alone = groups_of(run, ensemble.data(), 1);
  ASSERT_EQ(alone.size(), 10000u);
  EXPECT_NEAR(static_cast<double>(std::ranges::count(alone, 1)), 5000, 200) << "four standard deviations";
  Model counted = *run.model;
  together::model = run.model;
  together::waiting = 0;
  counted.draw = together::draw;
  run.model = &counted;
  EXPECT_EQ(groups_of(run, ensemble.data(), 2), alone);
  EXPECT_EQ(together::waiting, 2);
}

TEST(Execute, KeepsTheFinishedSamplesOfABackendThatFails) {
  const scree::Run run = small_run();
  EngineOptions options;
  options.backend = "scalar";
  options.threads = 1;
  Engine engine = choose_engine(run, options);
  const Arm whole = execute(run, "implicit", engine);
  static Kernel sound;
  sound = engine.kernel;
  engine.kernel = [](const Job& job) {
    Job part = job;
    part.count = 2;
    sound(part);
    throw std::runtime_error("the device is gone");
  };
  const Arm arm = execute(run, "implicit", engine);
  EXPECT_EQ(arm.failure, "backend scalar: the device is gone");
  EXPECT_EQ(arm.table.counted_samples(), 2u);
  for (std::uint64_t i = 0; i < 2; ++i) {
    EXPECT_EQ(arm.table.status[i], whole.table.status[i]);
    EXPECT_EQ(arm.table.at(0, i), whole.table.at(0, i));
  }
  // And goes on where it works again.
  engine.kernel = sound;
  EXPECT_EQ(execute(run, "implicit", engine, {}, "", arm).digest, whole.digest);
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

TEST(ModelReplay, SaysThatAProgramIsForOtherProcessors) {
  Model model = *find_model("rotor");
  for (Replayer& replayer : model.kernels.replay) replayer = nullptr;
  try {
    model.replay(nullptr, 0, 0, 1, [](std::span<const double>) {});
    FAIL() << "was replayed";
  } catch (const Error& error) {
    EXPECT_EQ(error.code, Exit::device);
    EXPECT_STREQ(error.what(), "replay: this program was built for other processors than this one");
  }
}

TEST(ChooseEngine, SaysWhatABuildOrAProcessorLacks) {
  scree::Run run =
      load_run_text("x.toml", "system = 'rotor'\nscheme = 'rk4'\nsamples = 3\nstep = 0.01\nend = 1.0\n", {});
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

/// Keeps what it hears.
struct Ear : Reporter {
  void warn(const std::string& line) override { heard.push_back("warning: " + line); }
  void say(const std::string& line) override { heard.push_back(line); }
  void show(const std::string& label, const Stage& stage) override {
    last = label + " of " + std::to_string(stage.samples);
  }
  void end_stage() override { last += ", over"; }
  std::vector<std::string> heard;
  std::string last;
};

/// An engine whose samples wait until `let_go`, and are those of `of` then.
namespace waiting {

std::atomic<bool> let_go;
std::atomic<int> begun;
Kernel sound;

void run(const Job& job) {
  ++begun;
  while (!let_go && !job.control->cancel) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  if (!job.control->close) sound(job);
}

}  // namespace waiting

TEST(Execute, EndsForWhoAskedAndForNobodyElse) {
  const scree::Run run = small_run();
  Engine engine = choose_engine(run, {.backend = "scalar"});
  const Arm whole = execute(run, "implicit", engine);
  waiting::sound = std::exchange(engine.kernel, &waiting::run);
  engine.grace = 60;
  Caller one, other;
  const auto ear = std::make_shared<Ear>();
  one.reporter = ear;
  Arm ended, ran;
  {
    const Stop::Accepting accepting(*one.stop, "writing the result");
    std::jthread first([&] { ended = execute(run, "implicit", engine, one, "first"); });
    std::jthread second([&] { ran = execute(run, "implicit", engine, other); });
    while (waiting::begun < 2) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(one.stop->ask(), 1);
    while (ear->heard.empty()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    waiting::let_go = true;
  }
  EXPECT_EQ(ended.table.counted_samples(), 0u);
  EXPECT_EQ(ran.digest, whole.digest);
  EXPECT_EQ(ear->heard,
            std::vector<std::string>{"interrupted: finishing the samples in flight; once more, and they are left"});
  EXPECT_EQ(ear->last, "first of 3, over");
  // What comes later begins where nobody has asked.
  engine.kernel = waiting::sound;
  EXPECT_EQ(execute(run, "implicit", engine).digest, whole.digest);
  EXPECT_EQ(execute(run, "implicit", engine, one).table.counted_samples(), 0u) << "who has asked is not asked again";
}

TEST(Stop, IsAnsweredOnceAndByWhoIsBusy) {
  Stop stop;
  EXPECT_EQ(stop.take_answer(), nullptr);
  stop.ask();
  EXPECT_EQ(stop.take_answer(), nullptr) << "nothing is accepted";
  const Stop::Accepting accepting(stop, "writing the result");
  {
    const Stop::Watched watched(stop);
    EXPECT_EQ(stop.take_answer(), nullptr) << "the command will";
    const Stop::Accepting silent(stop, nullptr);
  }
  EXPECT_STREQ(stop.take_answer(), "writing the result");
  EXPECT_EQ(stop.take_answer(), nullptr);
  EXPECT_FALSE(stop.insisted());
  EXPECT_EQ(stop.ask(), 2);
  EXPECT_TRUE(stop.insisted());
  stop.ask_to_keep();
  EXPECT_TRUE(stop.take_keep());
  EXPECT_FALSE(stop.take_keep());
}

/// 30 rocks that fall differently.
Run thirty(std::uint64_t samples) {
  return load_run_text("x.toml",
                       "system = 'rock'\nscheme = 'implicit'\nsamples = 30\nstep = 0.01\nend = 1.0\n[terrain]\n"
                       "kind = 'plane'\nslope = 30\n[[shape]]\nkind = 'cuboid'\nsize = [1, 1, 1]\nmass = 1\n"
                       "[vary]\norientation = 'uniform'\n",
                       overlays_with_samples({}, samples));
}

Arm executed(const Run& run, const char* backend, Arm finished = {}) {
  EngineOptions options;
  options.backend = backend;
  options.threads = 2;
  return execute(run, "implicit", choose_engine(run, options), {}, "", std::move(finished));
}

TEST(Execute, GoesOnFromFinishedSamplesOfAnyBackend) {
  const Arm whole = executed(thirty(30), "pack");
  for (const std::uint64_t first : {1u, 7u, 29u, 30u}) {
    const Arm grown = executed(thirty(30), "pack", executed(thirty(first), "scalar"));
    EXPECT_EQ(grown.digest, whole.digest) << first;
    EXPECT_EQ(grown.sample_steps, whole.sample_steps) << first;
    EXPECT_EQ(grown.statistics.status, whole.statistics.status) << first;
  }
}

TEST(Execute, IntegratesNothingButWhatIsMissing) {
  Arm finished = executed(thirty(30), "pack");
  const std::string digest = finished.digest;
  const std::uint64_t steps = finished.sample_steps;
  Arm holes = finished;
  // Two ranges of one sample, which two threads run side by side, and one of two.
  for (const std::size_t i : {0u, 3u, 4u, 29u}) holes.table.status[i] = static_cast<std::uint32_t>(Status::not_run);
  // A number that no sample has: it stays where the sample is finished, and goes where it was not run.
  holes.table.values[1] = holes.table.values[3] = -7;
  holes.sample_steps = 0;
  const Arm filled = executed(thirty(30), "pack", holes);
  EXPECT_EQ(filled.table.values[1], -7.0);
  EXPECT_EQ(filled.table.values[3], finished.table.values[3]);
  EXPECT_EQ(filled.table.status, finished.table.status);
  EXPECT_LT(filled.sample_steps, steps / 2);
  finished.wall_s = 100;
  const Arm nothing = executed(thirty(30), "pack", finished);
  EXPECT_EQ(nothing.digest, digest);
  EXPECT_EQ(nothing.wall_s, 100.0);
  EXPECT_EQ(nothing.sample_steps, steps);
}

TEST(Overlays, TakeTheSamplesWhereLoadRunPutsThem) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(overlays_with_samples({}, 5), Texts{"--samples:samples=5"});
  EXPECT_EQ(overlays_with_samples({"--set:a=1", "--set:b=2", "--samples:samples=3", "--seed:seed=1"}, 5),
            (Texts{"--set:a=1", "--set:b=2", "--samples:samples=5", "--seed:seed=1"}));
  EXPECT_EQ(overlays_with_samples({"--set:a=1", "--scheme:scheme=['rk4']"}, 5),
            (Texts{"--set:a=1", "--samples:samples=5", "--scheme:scheme=['rk4']"}));
}

}  // namespace
}  // namespace scree
