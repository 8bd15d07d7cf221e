// Configs in a folder of the test's own, and the line that a mistake in one gives.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "host/config/config.hpp"

namespace scree::test {

class ConfigFixture : public testing::Test {
 protected:
  using Run = scree::Run;  // not testing::Test::Run

  /// Configs may name the systems that `find` knows.
  explicit ConfigFixture(FindModel find = &find_model) : find_(find) {}

  void SetUp() override {
    // Relative paths: SCREE_DATA would win over the folder of the config.
    if (const char* data = std::getenv("SCREE_DATA")) data_ = data;
    unsetenv("SCREE_DATA");
    folder_ = std::filesystem::temp_directory_path() / ("scree_config_test_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override {
    std::filesystem::remove_all(folder_);
    if (!data_.empty()) setenv("SCREE_DATA", data_.c_str(), 1);
  }
  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }
  Run load(const std::string& text, const std::vector<std::string>& sets = {}, const Overrides& overrides = {}) {
    return load_run(write("x.toml", text), sets, overrides, find_);
  }
  /// "code: line" of the mistake in a config, with the folder of the test taken out.
  std::string mistake(const std::string& text, const std::vector<std::string>& sets = {},
                      const Overrides& overrides = {}) {
    try {
      load(text, sets, overrides);
    } catch (const Error& error) {
      std::string line = error.what();
      const std::string prefix = folder_.string() + "/";
      for (std::size_t at; (at = line.find(prefix)) != std::string::npos;) line.erase(at, prefix.size());
      return std::to_string(static_cast<int>(error.code)) + ": " + line;
    }
    return "no mistake found";
  }
  /// Parameters, then starts, as one sample draws them.
  static std::vector<double> drawn(const Run& run, std::uint64_t sample) {
    const Description& d = run.model->description;
    const auto ensemble = run.model->ensemble(run.spec);
    std::vector<double> values(d.param_doubles + d.start_doubles);
    run.model->draw(ensemble.data(), sample, values.data());
    return values;
  }

  std::filesystem::path folder_;

 private:
  FindModel find_;
  std::string data_;
};

}  // namespace scree::test
