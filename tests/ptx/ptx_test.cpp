// Reads the PTX in every system's kernels. No GPU is needed; without nvcc the test of the real kernels skips.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include "ptx_check.hpp"

namespace scree::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> faults(const std::string& text) {
  std::istringstream stream(text);
  return check_ptx(stream).faults;
}

TEST(PtxCheck, PassesWhatIeee754DefinesToTheLastBit) {
  EXPECT_THAT(
      faults("add.rn.f64 %fd1, %fd2, %fd3;\n"
             "@%p1 fma.rn.f64 %fd1, %fd2, %fd3, %fd4;\n"
             "div.rn.f64 %fd1, %fd2, %fd3;  sqrt.rn.f64 %fd1, %fd2;\n"
             "cvt.rzi.f64.f64 %fd1, %fd2;\n"
             "abs.f64 %fd1, %fd2;\nneg.f64 %fd1, %fd2;\nsetp.gt.f64 %p1, %fd1, %fd2;\nselp.f64 %fd1, %fd2, %fd3, %p1;\n"
             "add.s32 %r1, %r2, %r3;\nmul.wide.s32 %rd1, %r2, 8;\nmov.f32 %f1, 0f00000000;\n"
             "$L__BB0_1:\n ld.global.f64 %fd1, [%rd1+8];\n"),
      IsEmpty());
}

TEST(PtxCheck, FindsRoundingThatIsNotToNearest) {
  for (const char* operation : {"add", "sub", "mul", "div", "rcp", "sqrt", "fma", "mad"})
    for (const char* mode : {"", ".rz", ".rm", ".rp"}) {
      const std::string line = std::string(operation) + mode + ".f64 %fd1, %fd2, %fd3";
      EXPECT_THAT(faults(line + ";"), ElementsAre("line 1: does not say .rn: " + line));
    }
}

TEST(PtxCheck, FindsApproximateFlushedAndNarrowOperations) {
  EXPECT_THAT(faults("\nrcp.approx.ftz.f64 %fd1, %fd2;\n"),
              ElementsAre("line 2: approximate: rcp.approx.ftz.f64 %fd1, %fd2"));
  EXPECT_THAT(faults("@!%p2 add.ftz.f64 %fd1, %fd2, %fd3;"),
              ElementsAre("line 1: flushes denormals: add.ftz.f64 %fd1, %fd2, %fd3"));
  EXPECT_THAT(faults("mul.rn.f32 %f1, %f2, %f3;"),
              ElementsAre("line 1: not double precision: mul.rn.f32 %f1, %f2, %f3"));
  EXPECT_THAT(faults("cvt.rn.f32.f64 %f1, %fd2;"),
              ElementsAre("line 1: not double precision: cvt.rn.f32.f64 %f1, %fd2"));
  EXPECT_THAT(faults("rsqrt.f64 %fd1, %fd2;"),
              ElementsAre("line 1: not defined to the last bit: rsqrt.f64 %fd1, %fd2"));
}

TEST(PtxCheck, FindsALineAmongOthers) {
  EXPECT_THAT(faults(".visible .entry kernel(\n\t.param .u64 kernel_param_0\n)\n{\n\t.reg .f64 %fd<4>;\n"
                     "\tadd.rn.f64 %fd1, %fd2, %fd3;\n\tmul.f64 %fd1, %fd2, %fd3;\n\tret;\n}\n"),
              ElementsAre("line 7: does not say .rn: mul.f64 %fd1, %fd2, %fd3"));
}

TEST(PtxCheck, FindsALineBehindALabel) {
  EXPECT_THAT(faults("$L__BB0_1: add.f64 %fd1, %fd2, %fd3;"), testing::SizeIs(1));
}

TEST(PtxCheck, FindsMinimumAndMaximumThatAreNoSelect) {
  EXPECT_THAT(faults("max.f64 %fd1, %fd2, %fd3;"),
              ElementsAre("line 1: not the same as select: max.f64 %fd1, %fd2, %fd3"));
  EXPECT_THAT(faults("min.f64 %fd1, %fd2, 0d0000000000000000;"), testing::SizeIs(1));
  EXPECT_THAT(faults("max.f64 %fd1, %fd2, 0d8000000000000000;"), testing::SizeIs(1));
  EXPECT_THAT(faults("max.f64 %fd1, %fd2, 0d7FF8000000000000;"), testing::SizeIs(1));
  EXPECT_THAT(faults("max.f64 %fd1, %fd2, 0d0000000000000000; min.f64 %fd1, %fd2, 0d7E37E43C8800759C;"), IsEmpty());
}

TEST(PtxCheck, FindsAtomics) {
  EXPECT_THAT(faults("atom.global.add.f64 %fd1, [%rd1], %fd2;"), testing::SizeIs(1));
  EXPECT_THAT(faults("red.global.add.f64 [%rd1], %fd2;"), testing::SizeIs(1));
  EXPECT_THAT(faults("atom.global.add.u32 %r1, [%rd1], %r2;"), IsEmpty());
}

TEST(PtxCheck, FindsCallsIntoMathematicsLibraries) {
  EXPECT_THAT(
      faults("{ // callseq 0, 0\n.param .b64 param0;\nst.param.f64 [param0+0], %fd1;\ncall.uni (retval0),\n__nv_sin,\n"
             "(\nparam0\n);\n}"),
      ElementsAre(testing::StartsWith("line 4: calls a function that is not ours: call.uni (retval0), __nv_sin,")));
  EXPECT_THAT(faults("call.uni (retval0), __internal_trig_reduction_slowpathd, (param0);"), testing::SizeIs(1));
  EXPECT_THAT(faults("call (retval0), %rd7, (param0), prototype_0;"), testing::SizeIs(1));
  EXPECT_THAT(faults("call.uni _ZN5scree4stepEv, (param0);"), IsEmpty());
}

class Ptx : public testing::TestWithParam<std::string> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Ptx);

/// The PTX in an object file: texts that begin with .version and end with a NUL.
std::string ptx_in(const std::string& object) {
  std::ifstream file(object, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::string ptx;
  for (auto at = bytes.find("\n.version "); at != std::string::npos; at = bytes.find("\n.version ", at + 1))
    ptx += bytes.substr(at, bytes.find('\0', at) - at) + "\n";
  return ptx;
}

TEST_P(Ptx, OfTheKernelsRoundsAsTheCpuDoes) {
  ASSERT_TRUE(std::ifstream(GetParam())) << GetParam();
  if (!SCREE_HAS_PTX) GTEST_SKIP() << "built for GPUs without PTX; -DSCREE_CUDA_ARCHITECTURES=80 adds it";
  const std::string ptx = ptx_in(GetParam());
  std::istringstream text(ptx);
  const PtxReport report = check_ptx(text);
  EXPECT_THAT(report.faults, IsEmpty());
  // That all of it was read: the kernels are there, with fused operations in them.
  for (const char* kernel : {"5admit", "7advance", "9summarize"})
    EXPECT_THAT(report.entries, testing::Contains(testing::HasSubstr(kernel)));
  if (GetParam().find("rock_cuda") != std::string::npos) {
    for (const char* kernel : {"15advance_waiting", "12advance_slow"})
      EXPECT_THAT(report.entries, testing::Contains(testing::HasSubstr(kernel)));
  }
  EXPECT_GT(report.fused, 100);
}

/// Paths, with a colon between them; none in a build without nvcc.
std::vector<std::string> cuda_objects() {
  std::vector<std::string> files;
  std::istringstream list(SCREE_CUDA_OBJECTS);
  for (std::string file; std::getline(list, file, ':');) files.push_back(file);
  return files;
}
INSTANTIATE_TEST_SUITE_P(Systems, Ptx, testing::ValuesIn(cuda_objects()));

TEST(PtxOfTheKernels, IsRead) {
  EXPECT_EQ(cuda_objects().size(), std::size_t{SCREE_CUDA_COUNT});
  if (SCREE_CUDA_COUNT == 0) GTEST_SKIP() << "built without nvcc: there is no PTX to read";
}

}  // namespace
}  // namespace scree::test
