// That executed PTX can differ from the scalar backend, and what its machine refuses.
#include "cuda_runtime.hpp"
#include "kernels/cuda_lists.hpp"
#include "kernels/cuda_thread.cuh"
#include "kernels/visits.hpp"
#include "tests/suites/study.hpp"

namespace scree::test {
namespace {

using testing::HasSubstr;

// As tests/processors/cuda_test.cpp has them, which is compiled without CUDA's headers too.
static_assert(cuda_fewest_slots == 1 << 12 && cuda_most_waiting == 4);

std::string digest_of(const Model& model, const scree::Run& run, int scheme) {
  return digest(run_on(model.kernels.cuda, run, scheme));
}

/// Of the kernel that advances a system under a scheme, by a word of its mangled name.
std::string advancing(const std::string& scheme) {
  for (const auto& [name, module] : ptx_kernels())
    if (name.find("7advance") != std::string::npos && name.find("5Rotor") != std::string::npos &&
        name.find(scheme) != std::string::npos)
      return name;
  ADD_FAILURE() << "no kernel advances a rotor under " << scheme;
  return "";
}

/// Of a free rotor's steps. Where the product is small beside what it is added to, it hardly matters how it is rounded.
TEST(ExecutedPtx, DiffersWhereOneMultiplicationIsNotFused) {
  if (find_model("rotor") == nullptr) GTEST_SKIP() << "this build leaves out the rotor";
  const Model& model = *find_model("rotor");
  const scree::Run run = study(model, 8);
  const int rk4 = model.description.scheme("rk4");
  const std::string kernel = advancing("8RotorRk4"), same = digest(reference(run, rk4));
  PtxModule& module = *ptx_kernels().at(kernel);
  ASSERT_EQ(digest_of(model, run, rk4), same);
  const std::size_t all = module.multiply_adds(kernel);
  std::size_t differ = 0;
  for (std::size_t k = 0; k < all; ++k) {
    module.set_fused(kernel, k, false);
    differ += digest_of(model, run, rk4) != same ? 1 : 0;
    module.set_fused(kernel, k, true);
  }
  EXPECT_GT(all, 50u);
  EXPECT_GT(differ, 10u);
  EXPECT_EQ(digest_of(model, run, rk4), same);
}

/// Each with a stream and half of the slots. Samples that end at different times leave theirs to others.
TEST(ExecutedPtx, HasTheBitsOfTheScalarBackendWhereTwoThreadsShareAJob) {
  if (find_model("projectile") == nullptr) GTEST_SKIP() << "this build leaves out the projectile";
  const Model& model = *find_model("projectile");
  scree::Run run = study(model, 3 * cuda_fewest_slots);
  run.spec.world.end = 0.5;
  run.spec.world.step = 0.05;
  const Schedule two_threads{.block = static_cast<int>(2 * cuda_fewest_slots)};
  EXPECT_EQ(digest(run_on(model.kernels.cuda, run, 0, two_threads)), digest(reference(run, 0)));
}

/// The device has 2^30 bytes, half of which are for samples and what is seen of them.
TEST(ExecutedPtx, IsNotBegunWhereThereIsNoRoomForAllThatOneStepMayPass) {
  if (find_model("slider") == nullptr) GTEST_SKIP() << "this build leaves out the slider";
  const Model& model = *find_model("slider");
  const scree::Run run = study(model, 1);
  std::vector<std::byte> ensemble = model.ensemble(run.spec);
  VisitCollector collector([](const PassageBatch&) {});
  const double columns = 4e6;
  world_of(ensemble).visits = &collector;
  world_of(ensemble).maps = {0, 0, 1, 1, columns, 1};
  std::vector<double> values(model.description.columns.size());
  std::uint32_t status = static_cast<std::uint32_t>(Status::not_run);
  Control control;
  try {
    model.kernels.cuda(
        {ensemble.data(), run.spec.tables.size(), 0, 0, 1, values.data(), 1, &status, 1, 0, 0, &control});
    FAIL() << "ran";
  } catch (const std::runtime_error& error) {
    // 72 bytes for each of 4000003 cells, for two threads.
    EXPECT_STREQ(error.what(),
                 "the CUDA device has no memory left for all cells and lines that one step may pass: 576000864 bytes "
                 "of 536870912");
  }
}

std::string refusal(const std::string& body) {
  try {
    PtxModule module("\n.version 8.0\n.target sm_80\n.address_size 64\n.visible .entry f(.param .u64 a)\n{\n" +
                     std::string(".reg .b64 %rd<3>;\n.reg .f64 %fd<3>;\n.reg .pred %p<2>;\n") + body + "\nret;\n}\n");
    return "";
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

TEST(ExecutedPtx, IsRefusedWhereAnInstructionIsUnknown) {
  EXPECT_EQ(refusal("ld.param.u64 %rd1, [a];"), "");
  EXPECT_EQ(refusal("bar.sync 0;"), "PTX, line 10: unknown instruction bar.sync");
  EXPECT_EQ(refusal("mul.f64 %fd1, %fd2, %fd2;"), "PTX, line 10: unknown instruction mul.f64");
  EXPECT_EQ(refusal("atom.global.add.u64 %rd1, [%rd2], 1;"), "");
  EXPECT_EQ(refusal("atom.global.max.u64 %rd1, [%rd2], 1;"), "PTX, line 10: unknown instruction atom.global.max.u64");
  EXPECT_EQ(refusal("@%p1 mov.u64 %rd1, 0;"), "PTX, line 10: a condition on mov.u64 %rd1, 0");
  EXPECT_EQ(refusal("bra $L_1;"), "PTX, line 10: no label $L_1");
  EXPECT_EQ(refusal("mov.u64 %rd1, %clock64;"), "PTX, line 10: unknown operand %clock64");
  EXPECT_EQ(refusal(".shared .align 8 .b8 s[8];"), "PTX, line 10: unknown directive .shared .align 8 .b8 s[8]");
  EXPECT_EQ(refusal("call.uni other, (a);"), "PTX, line 10: a call of other");
  EXPECT_EQ(refusal("add.rn.f64 %fd1, %fd2;"), "PTX, line 10: unknown operands: add.rn.f64 %fd1, %fd2");
  EXPECT_EQ(refusal("add.rn.f64 %fd1, [%rd1], %fd2;"), "PTX, line 10: unknown operands: add.rn.f64 %fd1, [%rd1], %fd2");
  EXPECT_EQ(refusal("mov.b64 {%rd1, %rd2}, %fd2;"), "PTX, line 10: unknown operands: mov.b64 {%rd1, %rd2}, %fd2");
  EXPECT_EQ(refusal(".reg .b32 %r<2>;\n.reg .b16 %rs<2>;\nmov.b32 {%rs0, %rs1}, %r1;"),
            "PTX, line 12: unknown operands: mov.b32 {%rs0, %rs1}, %r1");
  EXPECT_EQ(refusal("mov.u64 %rd1, 12junk;"), "PTX, line 10: unknown operand 12junk");
  EXPECT_EQ(refusal("mov.f64 %fd1, 0f3F800000;"), "PTX, line 10: unknown operand 0f3F800000");
  EXPECT_EQ(refusal("$L_1:\n$L_1:"), "PTX, line 11: a label again: $L_1:");
  EXPECT_EQ(refusal(".reg .f64 %fd<3>;"), "PTX, line 10: registers again: %fd<3>");
  EXPECT_EQ(refusal("{"), "PTX: it ends within f");
}

/// Instructions by themselves, where C++ has other rules or none.
TEST(PtxMachine, RoundsAndClampsAsTheDevicesDo) {
  const auto run = [](const std::string& instruction, double x, double y) {
    PtxModule module(
        "\n.version 8.0\n.target sm_80\n.address_size 64\n.visible .entry f(.param .u64 a)\n{\n.reg .b64 %rd<3>;\n.reg "
        ".f64 %fd<4>;\n.reg .b32 %r<3>;\nld.param.u64 %rd1, [a];\nld.global.f64 %fd1, [%rd1];\nld.global.f64 %fd2, "
        "[%rd1+8];\n" +
        instruction + "\nst.global.f64 [%rd1+16], %fd3;\nret;\n}\n");
    double values[3] = {x, y, 0};
    double* place = values;
    void* arguments[1] = {&place};
    module.run("f", {0, 1, 0}, arguments);
    return std::bit_cast<std::uint64_t>(values[2]);
  };
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  constexpr std::uint64_t the_nan = 0x7fffffffffffffff;
  EXPECT_EQ(run("sub.rn.f64 %fd3, %fd1, %fd2;", infinity, infinity), the_nan);
  EXPECT_EQ(run("min.f64 %fd3, %fd1, %fd2;", nan, 3), bits(3));
  EXPECT_EQ(run("max.f64 %fd3, %fd1, %fd2;", 3, nan), bits(3));
  EXPECT_EQ(run("min.f64 %fd3, %fd1, %fd2;", nan, nan), the_nan);
  EXPECT_EQ(run("max.f64 %fd3, %fd1, %fd2;", nan, nan), the_nan);
  EXPECT_EQ(run("min.f64 %fd3, %fd1, %fd2;", 0.0, -0.0), bits(-0.0));
  EXPECT_EQ(run("max.f64 %fd3, %fd1, %fd2;", -0.0, 0.0), bits(0.0));
  EXPECT_EQ(run("fma.rn.f64 %fd3, %fd1, %fd1, %fd2;", 1 + 0x1p-52, -1 - 0x1p-51), bits(0x1p-104));
  EXPECT_EQ(run("copysign.f64 %fd3, %fd1, %fd2;", -0.0, 2), bits(-2));
  EXPECT_EQ(run("cvt.rzi.f64.f64 %fd3, %fd1;", -2.7, 0), bits(-2));
  EXPECT_EQ(run("cvt.rzi.s32.f64 %r1, %fd1;\ncvt.rn.f64.s32 %fd3, %r1;", -1e300, 0), bits(-2147483648.0));
  EXPECT_EQ(run("cvt.rzi.s32.f64 %r1, %fd1;\ncvt.rn.f64.s32 %fd3, %r1;", 1e300, 0), bits(2147483647.0));
  EXPECT_EQ(run("mov.f64 %fd3, 0d3FF0000000000000;", 0, 0), bits(1));
  EXPECT_EQ(run("mov.u32 %r1, -1;\nmul.wide.u32 %rd2, %r1, 2;\ncvt.rn.f64.u64 %fd3, %rd2;", 0, 0), bits(8589934590.0));
  EXPECT_EQ(run("mov.u32 %r1, -8;\nshr.s32 %r2, %r1, 40;\ncvt.rn.f64.s32 %fd3, %r2;", 0, 0), bits(-1));
  EXPECT_EQ(run("mov.u32 %r1, 5;\nshl.b32 %r2, %r1, 32;\ncvt.rn.f64.s32 %fd3, %r2;", 0, 0), bits(0));
  EXPECT_EQ(run("mov.u32 %r1, 255;\nmov.u32 %r2, 3;\nbfi.b32 %r1, %r2, %r1, 2, 3;\ncvt.rn.f64.s32 %fd3, %r1;", 0, 0),
            bits(239));
  EXPECT_EQ(run(".reg .b16 %rs<2>;\nmov.u16 %rs0, 5;\nmov.u16 %rs1, 2;\nmov.b32 %r1, {%rs0, %rs1};\n"
                "cvt.rn.f64.s32 %fd3, %r1;",
                0, 0),
            bits(2 * 65536 + 5));
}

/// Bytes in global memory, with zeros behind those that are written.
TEST(PtxMachine, ReadsTheConstantsOfAModule) {
  const auto text_with = [](const std::string& constant) {
    return "\n.version 8.0\n.target sm_80\n.address_size 64\n" + constant +
           ";\n.visible .entry f(.param .u64 a)\n{\n.reg .b64 %rd<4>;\n.reg .b64 %r<2>;\nld.param.u64 %rd1, [a];\n"
           "mov.u64 %rd2, numbers;\ncvta.global.u64 %rd3, %rd2;\nld.u64 %r1, [%rd3+8];\nst.global.u64 [%rd1], "
           "%r1;\nret;\n}\n";
  };
  PtxModule module(text_with(".global .align 8 .b8 numbers[16] = {1, 0, 0, 0, 0, 0, 0, 0, 7, 1}"));
  std::uint64_t value = 0;
  std::uint64_t* place = &value;
  void* arguments[1] = {&place};
  module.run("f", {0, 1, 0}, arguments);
  EXPECT_EQ(value, 263u);
  for (const auto& [constant, message] :
       {std::pair{".global .align 8 .b8 numbers[16] = {0x1f}", "PTX, line 5: unknown byte 0x1f"},
        {".global .align 8 .f64 numbers[2] = {1, 2}",
         "PTX, line 5: cannot read .global .align 8 .f64 numbers[2] = {1, 2}"}})
    EXPECT_THAT([&] { PtxModule(text_with(constant)); }, testing::ThrowsMessage<std::runtime_error>(message));
}

}  // namespace
}  // namespace scree::test
