// The same bits for every registered system, under each of its schemes, on each backend with each instruction set: for
// any number of threads and samples in flight, as a part of a longer run, after an interruption, and in a replay. A
// system enters by being registered. What this machine or build lacks is skipped, with the reason.
#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <thread>
#include <utility>

#include "study.hpp"
#include "tests/support/lanes.hpp"

namespace scree {
namespace {

using test::Backend;
using test::reference;
using test::run_on;
using test::study;

/// More samples than one thread has in flight on any CPU: 32 lanes, four registers of AVX-512.
constexpr std::uint64_t samples = 40;

struct Case {
  const Model* model;
  int scheme;
  Backend backend;
  std::string scheme_name() const { return model->description.schemes[static_cast<std::size_t>(scheme)].name; }
};

std::string without_backend(const Case& c) { return c.model->description.system + "_" + c.scheme_name(); }
std::string title(const Case& c) { return without_backend(c) + "_" + c.backend.title(); }

void PrintTo(const Case& c, std::ostream* out) { *out << title(c); }

std::vector<Case> every_scheme() {
  std::vector<Case> cases;
  for (const Model& model : models())
    for (std::size_t s = 0; s < model.description.schemes.size(); ++s)
      cases.push_back({&model, static_cast<int>(s), {"scalar", 0}});
  return cases;
}

std::vector<Case> every_backend() {
  std::vector<Case> cases;
  for (const Case& of_scheme : every_scheme())
    for (const Backend& backend : test::all_backends()) cases.push_back({of_scheme.model, of_scheme.scheme, backend});
  return cases;
}

struct Study {
  Run run;
  SummaryTable table;
  std::string digest;
};

enum class Points { random, sobol };
/// A study and what the scalar baseline makes of it, once for all tests of a program.
const Study& known(const Case& c, Points points = Points::random) {
  static std::map<std::pair<std::string, Points>, Study> all;
  const std::pair key(without_backend(c), points);
  const auto found = all.find(key);
  if (found != all.end()) return found->second;
  std::vector<std::string> changes;
  if (points == Points::sobol) changes = {"sampling=sobol", "replicates=4"};
  Study made{study(*c.model, samples, changes), {}, {}};
  made.table = reference(made.run, c.scheme);
  made.digest = digest(made.table);
  return all.emplace(key, std::move(made)).first->second;
}

class EveryBackend : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    if (const std::string why = GetParam().backend.obstacle(*GetParam().model); !why.empty()) GTEST_SKIP() << why;
  }
  Kernel kernel() const { return GetParam().backend.kernel_of(*GetParam().model); }
};

INSTANTIATE_TEST_SUITE_P(Bits, EveryBackend, testing::ValuesIn(every_backend()),
                         [](const auto& info) { return title(info.param); });

TEST_P(EveryBackend, HasTheBitsOfScalarForAnyThreadsAndBlocks) {
  const Study& of = known(GetParam());
  int compared = 0;
  for (const auto& [threads, block] : {std::pair{1, 0}, {1, 1}, {1, 7}, {1, 64}, {2, 0}, {3, 7}}) {
    // A device has no threads of ours: one pass over the blocks is all.
    if (GetParam().backend.is_cuda() && threads > 1) break;
    EXPECT_EQ(digest(run_on(kernel(), of.run, GetParam().scheme, {threads, block})), of.digest)
        << "threads " << threads << ", block " << block;
    ++compared;
  }
  EXPECT_EQ(compared, GetParam().backend.is_cuda() ? 4 : 6);
}

/// The first samples, and some from the middle, as batches and shards take them.
TEST_P(EveryBackend, RunsAnyPartOfALongerRun) {
  const Study& of = known(GetParam());
  int compared = 0;
  for (const auto& [first, count] : {std::pair{0u, 1u}, {0u, 20u}, {13u, 20u}}) {
    const scree::Run part = study(*GetParam().model, count);
    EXPECT_EQ(digest(run_on(kernel(), part, GetParam().scheme, {2, 0, first})),
              digest(test::part_of(of.table, first, count)))
        << count << " samples from " << first;
    ++compared;
  }
  EXPECT_EQ(compared, 3);
}

TEST_P(EveryBackend, HasTheBitsOfScalarOnSobolPoints) {
  const Study& of = known(GetParam(), Points::sobol);
  EXPECT_NE(of.digest, known(GetParam()).digest) << "the points are no random ones";
  EXPECT_EQ(digest(run_on(kernel(), of.run, GetParam().scheme, {2})), of.digest);
}

/// Asked to stop when the first sample is done, wherever the others then are: what was finished is right, and the rest
/// of the run is what was missing.
TEST_P(EveryBackend, GoesOnWhereItWasInterrupted) {
  const Study& of = known(GetParam());
  const Case& c = GetParam();
  Control control;
  std::atomic<bool> over{false};
  std::jthread interrupt([&] {
    while (control.samples_done == 0 && !over) std::this_thread::yield();
    control.cancel = true;
  });
  Arm finished;
  finished.table = run_on(kernel(), of.run, c.scheme, {2, 7}, control);
  over = true;
  interrupt.join();
  std::uint64_t done = 0;
  for (std::uint64_t i = 0; i < samples; ++i) {
    if (finished.table.status[i] == static_cast<std::uint32_t>(Status::not_run)) continue;
    EXPECT_EQ(finished.table.status[i], of.table.status[i]) << "sample " << i;
    ++done;
  }
  EXPECT_EQ(done, control.samples_done);
  Engine engine;
  engine.kernel = kernel();
  engine.backend = c.backend.name;
  engine.threads = 2;
  Arm whole = execute(of.run, c.scheme_name(), engine, {}, "", std::move(finished));
  whole.table.description = of.table.description;
  EXPECT_EQ(digest(whole.table), of.digest) << done;
}

/// Else a system could go without being missed.
TEST(SchemeCases, AreOfEverySystemOfThisBuild) {
  std::set<std::string> systems;
  for (const Case& c : every_scheme()) systems.insert(c.model->description.system);
  EXPECT_EQ(systems.size(), std::size_t{SCREE_SYSTEM_COUNT});
}

class EveryScheme : public testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(Bits, EveryScheme, testing::ValuesIn(every_scheme()),
                         [](const auto& info) { return without_backend(info.param); });

TEST_P(EveryScheme, IsReplayedBitForBit) {
  const Study& of = known(GetParam());
  const std::vector<std::byte> ensemble = GetParam().model->ensemble(of.run.spec);
  int replayers = 0;
  for (const Replayer replayer : GetParam().model->kernels.replay) {
    Model model = *GetParam().model;
    for (Replayer& other : model.kernels.replay)
      if (other != replayer) other = nullptr;
    if (best_isa(model.kernels.replay) < 0) continue;
    ++replayers;
    SummaryTable again = of.table;
    std::fill(again.values.begin(), again.values.end(), 0.0);
    std::uint64_t rows = 0;
    for (std::uint64_t i = 0; i < samples; ++i) {
      const ReplayResult replayed =
          model.replay(ensemble.data(), GetParam().scheme, i, 50, [&](std::span<const double>) { ++rows; });
      ASSERT_EQ(replayed.summary.size(), again.description->columns.size());
      for (std::size_t c = 0; c < replayed.summary.size(); ++c) again.values[c * samples + i] = replayed.summary[c];
      again.status[i] = replayed.status;
    }
    EXPECT_EQ(digest(again), of.digest) << isa_names[best_isa(model.kernels.replay)];
    EXPECT_GE(rows, samples);
  }
  EXPECT_GT(replayers, 0);
}

/// Else the tests above could compare one sample with itself.
TEST_P(EveryScheme, HasSamplesThatDiffer) {
  const Study& of = known(GetParam());
  std::set<std::string> rows;
  for (std::uint64_t i = 0; i < samples; ++i) rows.insert(digest(test::part_of(of.table, i, 1)));
  EXPECT_EQ(rows.size(), samples);
  EXPECT_NE(digest(reference(study(*GetParam().model, samples, {"seed=2"}), GetParam().scheme)), of.digest);
}

/// Else they could compare what no step has changed.
TEST_P(EveryScheme, HasSamplesThatMove) {
  const Study& of = known(GetParam());
  const std::vector<std::byte> ensemble = GetParam().model->ensemble(of.run.spec);
  std::uint64_t moved = 0;
  for (std::uint64_t i = 0; i < samples; ++i) {
    std::vector<double> first, last;
    GetParam().model->replay(ensemble.data(), GetParam().scheme, i, ~std::uint64_t{0},
                             [&](std::span<const double> row) {
                               last.assign(row.begin() + 1, row.end());  // after the time
                               if (first.empty()) first = last;
                             });
    moved += !std::equal(first.begin(), first.end(), last.begin(), test::same_bits);
  }
  EXPECT_EQ(moved, samples);
}

/// All systems are compiled for the same processors, but for those whose packs are for this one alone and whose scalars
/// are for any, and each has cases above for all of them.
TEST_P(EveryScheme, IsTriedOnEveryBackend) {
  const std::string alone = " " SCREE_NATIVE_SYSTEMS " ";
  const auto is_alone = [&](const Model& model) {
    return alone.find(' ' + model.description.system + ' ') != alone.npos;
  };
  const auto of_all = std::ranges::find_if_not(models(), is_alone);
  if (of_all == models().end()) GTEST_SKIP() << "all systems are compiled for this processor and for any alone";
  const SystemKernels &own = GetParam().model->kernels, &most = of_all->kernels;
  const bool native = is_alone(*GetParam().model);
  EXPECT_NE(own.scalar[0], nullptr);
  EXPECT_EQ(own.scalar[1] != nullptr, most.scalar[1] != nullptr && !native);
  EXPECT_EQ(own.cuda != nullptr, most.cuda != nullptr);
  for (int isa = 0; isa < isa_count; ++isa)
    EXPECT_EQ(own.replay[isa] != nullptr, own.scalar[isa] != nullptr) << isa_names[isa];
  if (native) {
    EXPECT_EQ(std::ranges::count(own.pack, nullptr), isa_count - 1);
  }
  const bool packs = own.pack[0] != nullptr;
  for (int isa = 1; isa < isa_count && !native; ++isa)
    EXPECT_EQ(own.pack[isa] != nullptr, packs && most.scalar[1] != nullptr) << isa_names[isa];
  const std::vector<Case> all = every_backend();
  EXPECT_EQ(std::count_if(all.begin(), all.end(),
                          [](const Case& c) { return without_backend(c) == without_backend(GetParam()); }),
            1 + 1 + isa_count + 1);
}

}  // namespace
}  // namespace scree
