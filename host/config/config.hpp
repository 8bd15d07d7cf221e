// From a config file to a validated Run: all that a user can get wrong there is found here, before the first step.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/common/error.hpp"
#include "host/model/run.hpp"

namespace scree {

/// Options of the command line that replace values of the config.
struct Overrides {
  std::optional<std::uint64_t> samples, seed;
  std::vector<std::string> schemes = {}, columns = {};
  const char* schemes_option = "--scheme";  // what messages call it
  std::string maps = {};  // "true": maps are made; else the side of their cells, m; empty: as the config says
  bool no_maps = false;
  std::optional<Shard> shard = {};
};

/// The overlays (Run::overlays) that `sets` ("key.path=value", as after --set) and `overrides` make, in the order in
/// which they are laid over a config.
std::vector<std::string> overlays_of(const std::vector<std::string>& sets, const Overrides& overrides = {});

using FindModel = const Model* (*)(std::string_view system);
using CheckRun = std::function<void(const Run& run)>;

/// Reads the TOML file `path` and lays `sets` ("key.path=value") and `overrides` over it. Data files are looked for in
/// the folder SCREE_DATA if that is set, else beside the config. `before_drawing` sees the Run before its samples are
/// drawn for their checks. Throws Error with one line: Exit::usage for the config, Exit::input for a data file.
Run load_run(const std::string& path, const std::vector<std::string>& sets = {}, const Overrides& overrides = {},
             FindModel find = &find_model, const CheckRun& before_drawing = nullptr);

/// The same from the text of a config, with overlays as in Run::overlays; `path` is for messages and for its folder.
/// load_run_text(run.config_path, run.config_text, run.overlays) gives `run` again.
Run load_run_text(const std::string& path, const std::string& text, const std::vector<std::string>& overlays,
                  FindModel find = &find_model, const CheckRun& before_drawing = nullptr);

/// What load_run_text(run.config_path, run.config_text, overlays) gives, from a run that was loaded: with its config as
/// parsed and its data files as read then, whatever became of them. If nothing but step and samples differs, no sample
/// is drawn that was drawn to check `run`. A parameter is part of every sample: with another one all are drawn.
Run derive(const Run& run, const std::vector<std::string>& overlays, const CheckRun& before_drawing = nullptr);

/// The option of the command line that makes an overlay, for a shell: "--samples 300", "--set rock.ground=soft". What
/// other options than --samples, --seed, --shard and that of schemes make, --set makes too.
std::string option_of(const std::string& overlay);

/// The overlays of the same run with `samples`, as --samples would have given them.
std::vector<std::string> overlays_with_samples(std::vector<std::string> overlays, std::uint64_t samples);

/// "17/1000", as after --shard. Throws Error(Exit::usage).
Shard parse_shard(const std::string& text);
/// The overlays of one shard of a run that is none, and back.
std::vector<std::string> overlays_of_shard(std::vector<std::string> overlays, const Shard& shard);
std::vector<std::string> overlays_without_shard(std::vector<std::string> overlays);

}  // namespace scree
