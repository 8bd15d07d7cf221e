// What `scree build` says of what CMake and compilers print.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "host/commands/build.hpp"

namespace scree {
namespace {

using testing::EndsWith;
using testing::StartsWith;

const std::string header = "/home/a/my_pendulum.hpp", text = "template <class Real>\nstruct MyPendulum {\n};\n";

TEST(Build, NamesTheClassOfAHeader) {
  EXPECT_EQ(class_name("my_pendulum"), "MyPendulum");
  EXPECT_EQ(class_name("rk4_box"), "Rk4Box");
  EXPECT_EQ(class_name("disk"), "Disk");
}

TEST(Build, QuotesTheFirstMistakeOfACompiler) {
  const std::string log =
      "[1/9] Building CXX object a.o\n"
      "/home/a/my_pendulum.hpp:5:3: warning: unused\n"
      "/home/a/my_pendulum.hpp:51:5: error: 'retrun' was not declared in this scope\n"
      "/home/a/my_pendulum.hpp:52:5: error: another\n";
  EXPECT_EQ(first_mistake(log, header, text),
            "/home/a/my_pendulum.hpp:51:5: error: 'retrun' was not declared in this scope");
  EXPECT_EQ(first_mistake("[1/9] Building CXX object a.o\n", header, text), "");
}

TEST(Build, NamesTheRuleOfOperations) {
  const std::string function =
      "/home/a/my_pendulum.hpp:51:56: error: no matching function for call to 'sin(const scree::Pack<2, 2>&)'\n";
  EXPECT_THAT(
      first_mistake(function, header, text),
      EndsWith("'sin(const scree::Pack<2, 2>&)' (a value that belongs to a sample has + - * / and the functions "
               "of src/real.hpp and src/elementary.hpp, none of std::, and meets literals as Real(0.5))"));
  const std::string branch =
      "/home/a/my_pendulum.hpp:51:17: error: could not convert 'scree::operator>(a, b)' from 'scree::Pack<2, 2>::Mask' "
      "to 'bool'\n";
  EXPECT_THAT(
      first_mistake(branch, header, text),
      EndsWith("to 'bool' (samples differ, so no if, ?: or loop may ask for one's value: select(condition, a, b) "
               "gives each sample its own)"));
}

TEST(Build, NamesTheRuleOfOperationsWithClangToo) {
  const std::string function =
      "/home/a/my_pendulum.hpp:51:45: error: no matching function for call to 'sin'\n"
      "/usr/include/sin.h:1:1: note: no known conversion from 'const scree::Pack<2, 2>' to 'double'\n";
  EXPECT_THAT(first_mistake(function, header, text), EndsWith("meets literals as Real(0.5))"));
  const std::string branch =
      "/home/a/my_pendulum.hpp:51:9: error: value of type 'Mask' is not contextually convertible to 'bool'\n";
  EXPECT_THAT(first_mistake(branch, header, text), EndsWith("gives each sample its own)"));
}

TEST(Build, SaysWhereInTheHeaderALibrarysMistakeComesFrom) {
  const std::string log =
      "/usr/include/c++/12/bits/stl_algobase.h: In instantiation of 'max(...)':\n"
      "/home/a/my_pendulum.hpp:64:33:   required from 'observe'\n"
      "/tree/src/integrate.hpp:9:1:   required from here\n"
      "/usr/include/c++/12/bits/stl_algobase.h:259:15: error: could not convert 'Pack<2, 2>::Mask' to 'bool'\n";
  EXPECT_THAT(
      first_mistake(log, header, text),
      StartsWith("/home/a/my_pendulum.hpp:64:33: error: could not convert 'Pack<2, 2>::Mask' to 'bool' (samples "
                 "differ"));
}

TEST(Build, NamesTheClassThatAHeaderLacks) {
  const std::string log = "/cache/my_pendulum_model.cpp:19:21: error: 'MyPendulum' was not declared in this scope\n";
  EXPECT_EQ(
      first_mistake(log, header, "struct Pendulum {};\n"),
      "/cache/my_pendulum_model.cpp:19:21: error: 'MyPendulum' was not declared in this scope (a header holds the "
      "template that is named as itself, here MyPendulum)");
}

TEST(Build, QuotesWhatCMakeMisses) {
  EXPECT_EQ(first_mistake("-- Configuring\nCMake Error at /usr/share/cmake/Find.cmake:230 (message):\n  Could NOT find "
                          "Qhull\n  (missing: qhull_r)\n\nCall Stack:\n",
                          header, text),
            "Could NOT find Qhull (missing: qhull_r)");
  EXPECT_EQ(first_mistake("CMake Error: CMAKE_CXX_COMPILER not set\n", header, text), "CMAKE_CXX_COMPILER not set");
}

TEST(Build, FindsFunctionsThatRoundAsTheirLibraryDoes) {
  const std::string rule = " gives other bits with another library (a value that belongs to a sample has";
  EXPECT_THAT(function_of_std("// std::cos\nconst Real x = std::sin(s.theta);\n"), StartsWith("2: std::sin" + rule));
  for (const char* name : {"atan2", "tanh", "log1p", "exp2", "pow", "lgamma", "acosh"})
    EXPECT_THAT(function_of_std("using std::" + std::string(name) + ";\n"), StartsWith("1: std::" + std::string(name)));
  EXPECT_EQ(function_of_std("std::sqrt(2.0), std::size_t, std::tuple<double>, std::expected, std::logic_error, sin(x)"),
            "");
}

}  // namespace
}  // namespace scree
