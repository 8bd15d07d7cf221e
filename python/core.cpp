// The module scree._core: what the package calls of the library. The commands are those of the program, which hand over
// what they find in place of printing it, so that values, names and order are the program's.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <exception>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "host/commands/check.hpp"
#include "host/commands/commands.hpp"
#include "host/commands/info.hpp"
#include "host/commands/init.hpp"
#include "host/commands/list.hpp"
#include "host/commands/merge.hpp"
#include "host/commands/offer.hpp"
#include "host/commands/replay_samples.hpp"
#include "host/common/available_memory.hpp"
#include "host/common/json_text.hpp"
#include "host/common/version.hpp"
#include "host/common/while_reading.hpp"
#include "host/inputs/crs.hpp"
#include "host/model/inputs.hpp"
#include "host/report/json.hpp"
#include "host/report/verdict.hpp"
#include "host/results/maps.hpp"
#include "host/results/output.hpp"
#include "host/results/result_file.hpp"
#include "host/results/stored_run.hpp"
#include "host/statistics/statistics.hpp"
#include "kernels/backend.hpp"
#include "kernels/cpu_threads.hpp"
#include "src/status.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace scree {
namespace {

/// Calls back into Python, from the thread that runs the command, which has let go of the interpreter meanwhile. What a
/// callback throws ends the command, and is thrown again when that has come to its end; KeyboardInterrupt asks for an
/// end as Ctrl-C does. It may be called while the watch over the samples holds its lock, which no callback can want.
class Listener : public Reporter {
 public:
  Listener(nb::object callbacks, std::shared_ptr<Stop> stop)
      : callbacks_(std::move(callbacks)), stop_(std::move(stop)) {}
  void warn(const std::string& line) override {
    tell("warn", line);
    // A warning that is to be an error: before anything is written.
    if (failure_) throw Error(Exit::interrupted, line);
  }
  void say(const std::string& line) override { tell("say", line); }
  void note(const std::string& line) override { tell("note", line); }
  void show(const std::string& label, const Stage& stage) override {
    tell("show", label, stage.done, stage.samples, stage.steps, stage.seconds, stage.left);
  }
  void end_stage() override { tell("end_stage"); }

  /// Signals of Python, as of Ctrl-C, which only its main thread sees, and ends that another of its threads asks for.
  void look_for_signals() {
    const nb::gil_scoped_acquire held;
    if (PyErr_CheckSignals() != 0) take(nb::python_error());
    if (failure_) return;
    try {
      if (!nb::cast<bool>(callbacks_.attr("ends")())) return;
      stop_->ask();
      was_interrupted_ = true;
    } catch (nb::python_error& error) {
      take(std::move(error));
    }
  }
  bool was_interrupted() const { return was_interrupted_; }
  void rethrow() {
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  template <class... Arguments>
  void tell(const char* name, const Arguments&... arguments) {
    const nb::gil_scoped_acquire held;
    if (failure_) return;
    try {
      callbacks_.attr(name)(arguments...);
    } catch (nb::python_error& error) {
      take(std::move(error));
    }
  }
  void take(nb::python_error error) {
    stop_->ask();
    if (error.matches(PyExc_KeyboardInterrupt)) {
      was_interrupted_ = true;
    } else {
      stop_->ask();  // nobody waits for the samples in flight
      failure_ = std::make_exception_ptr(std::move(error));
    }
  }
  nb::object callbacks_;
  std::shared_ptr<Stop> stop_;
  std::exception_ptr failure_;
  bool was_interrupted_ = false;
};

/// What a command came to: what it found, if it came so far, its exit code, and the line of its error.
nb::tuple carried_out(nb::object callbacks, const std::shared_ptr<Stop>& stop,
                      const std::function<Exit(const Caller&, const std::function<void()>& while_waiting,
                                               const std::function<void(Found)>& take)>& command) {
  const auto listener = std::make_shared<Listener>(std::move(callbacks), stop);
  std::optional<Found> found;
  Exit code = Exit::ok;
  std::string line;
  {
    const nb::gil_scoped_release others_run;
    try {
      code = command(
          {stop, listener}, [&] { listener->look_for_signals(); }, [&](Found all) { found = std::move(all); });
    } catch (const ReadingLeft&) {
      code = Exit::interrupted;
      line = "interrupted before all was read or drawn";
    } catch (...) {
      const Error error = error_in_hand();
      code = error.code;
      line = error.what();
    }
  }
  listener->rethrow();
  // Too late to leave anything out, but not to end what the command is a part of.
  if (code == Exit::ok && listener->was_interrupted()) code = Exit::interrupted;
  nb::object result = found ? nb::cast(std::move(*found)) : nb::none();
  return nb::make_tuple(result, static_cast<int>(code), line);
}

/// Sets what a dictionary has; a name that nothing has is a mistake of the package.
class Settings {
 public:
  explicit Settings(const nb::dict& given) : given_(given) {}
  template <class T>
  void set(const char* name, T& to) {
    if (!given_.contains(name)) return;
    ++seen_;
    try {
      to = nb::cast<T>(given_[name]);
    } catch (const std::bad_cast&) {
      throw Error(Exit::usage,
                  std::string(name) + " = " + nb::repr(given_[name]).c_str() + ", must be of another type");
    }
  }
  void require_all() const {
    if (seen_ != given_.size()) throw std::logic_error("scree._core: there is a setting that no command has");
  }

 private:
  const nb::dict& given_;
  std::size_t seen_ = 0;
};

/// What all commands have, after what one has of its own.
void set_the_rest(Settings& settings, RunOptions& options, std::string& shard) {
  settings.set("config", options.config);
  settings.set("text", options.config_text);
  settings.set("out", options.output);
  settings.set("sets", options.sets);
  settings.set("samples", options.overrides.samples);
  settings.set("seed", options.overrides.seed);
  settings.set("schemes", options.overrides.schemes);
  settings.set("maps", options.overrides.maps);
  settings.set("no_maps", options.overrides.no_maps);
  settings.set("backend", options.engine.backend);
  settings.set("isa", options.engine.isa);
  settings.set("threads", options.engine.threads);
  settings.set("grace", options.engine.grace);
  settings.set("force", options.force);
  settings.set("resume", options.resume);
  settings.set("checkpoint", options.checkpoint);
  settings.set("sensitivity", options.sensitivity);
  settings.set("shard", shard);
  settings.require_all();
}

template <class Options>
nb::tuple carried_out(Options& options, const std::string& shard, Exit (*command)(const Options&), nb::object callbacks,
                      const std::shared_ptr<Stop>& stop) {
  return carried_out(std::move(callbacks), stop, [&](const Caller& caller, const auto& waiting, const auto& take) {
    if (!shard.empty()) options.overrides.shard = parse_shard(shard);
    options.caller = caller;
    options.engine.while_waiting = waiting;
    options.take = take;
    return command(options);
  });
}

nb::tuple py_run(const nb::dict& given, nb::object callbacks, const std::shared_ptr<Stop>& stop) {
  GrowOptions options;
  std::string shard;
  Settings settings(given);
  settings.set("extend", options.extend);
  settings.set("until", options.until);
  settings.set("at_most", options.at_most);
  set_the_rest(settings, options, shard);
  return carried_out(options, shard, &run_command, std::move(callbacks), stop);
}

nb::tuple py_compare(const nb::dict& given, bool converge, nb::object callbacks, const std::shared_ptr<Stop>& stop) {
  CompareOptions options;
  std::string shard;
  Settings settings(given);
  settings.set("arms", options.arms);
  settings.set("steps", options.steps);
  settings.set("backends", options.backends);
  settings.set("step_error", options.step_error);
  settings.set("halvings", options.halvings);
  set_the_rest(settings, options, shard);
  return carried_out(options, shard, converge ? &converge_command : &compare_command, std::move(callbacks), stop);
}

/// While a command reads: Ctrl-C leaves that.
ReadingWatch leaving(const Caller& caller, const std::function<void()>& waiting) {
  return ReadingWatch([&] {
    waiting();
    if (caller.asks_for_end()) throw ReadingLeft();
  });
}

/// What is known of a run before its first step: as JSON and as text.
nb::tuple py_check(const nb::dict& given, nb::object callbacks, const std::shared_ptr<Stop>& stop) {
  RunOptions options;
  std::string shard;
  Settings settings(given);
  set_the_rest(settings, options, shard);
  std::string json;
  std::ostringstream text;
  const nb::tuple came_to =
      carried_out(std::move(callbacks), stop, [&](const Caller& caller, const auto& waiting, const auto&) {
        const ReadingWatch watch = leaving(caller, waiting);
        const Run run = load_given(options, options.overrides);
        for (const std::string& warning : run.warnings) caller.warn(warning);
        json = json_text(check_json(run));
        print_check(text, options.config, run);
        return Exit::ok;
      });
  nb::object told = json.empty() ? nb::none() : nb::object(nb::make_tuple(json, text.str()));
  return nb::make_tuple(told, came_to[1], came_to[2]);
}

nb::tuple py_merge(const std::vector<std::string>& parts, const std::string& out, bool force, bool partial, bool link,
                   nb::object callbacks, const std::shared_ptr<Stop>& stop) {
  return carried_out(std::move(callbacks), stop, [&](const Caller& caller, const auto& waiting, const auto& take) {
    MergeOptions options;
    options.parts = parts;
    options.output = out;
    options.force = force;
    options.partial = partial;
    options.link = link;
    options.caller = caller;
    options.take = take;
    options.while_waiting = waiting;
    return merge_command(options);
  });
}

nb::tuple py_open(const std::string& path, nb::object callbacks, const std::shared_ptr<Stop>& stop) {
  return carried_out(std::move(callbacks), stop, [&](const Caller& caller, const auto& waiting, const auto& take) {
    const ReadingWatch watch = leaving(caller, waiting);
    take(found_in(path));
    waiting();
    return Exit::ok;
  });
}

/// An arm, or with `finer` = k the same at 1/2^k of its step.
const Arm& arm_of(const Found& found, std::size_t number, std::size_t finer) {
  const Arm& arm = found.arms.at(number);
  return finer == 0 ? arm : arm.finer.at(finer - 1);
}

/// The run of an arm, also of one that was read from a file.
Run run_of(const Found& found, const Arm& arm, bool is_finer, const std::string& file) {
  if (found.run.model) return arm.run ? *arm.run : run_of_arm(found.run, arm, is_finer);
  StoredResult stored;
  stored.run = found.run;
  return run_again(file, stored, arm);
}

/// An array of numpy that owns these values.
template <class T>
nb::ndarray<nb::numpy, T> array_of(std::vector<T> given, std::initializer_list<std::size_t> shape) {
  auto* values = new std::vector<T>(std::move(given));
  const nb::capsule owner(values, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::ndarray<nb::numpy, T>(values->data(), shape, owner);
}

/// Paths of samples: their columns, and of each sample its number, its status, how it differs from what is stored, and
/// its rows [rows, columns].
nb::tuple py_replay(const Found& found, std::size_t number, std::size_t finer,
                    const std::vector<std::uint64_t>& samples, const std::string& every, const std::string& file,
                    nb::object callbacks, const std::shared_ptr<Stop>& stop) {
  std::vector<Path> paths;
  std::vector<Column> columns;
  const nb::tuple came_to =
      carried_out(std::move(callbacks), stop, [&](const Caller& caller, const auto& waiting, const auto&) {
        const Arm& arm = arm_of(found, number, finer);
        const ReadingWatch watch = leaving(caller, waiting);
        const Run again = run_of(found, arm, finer > 0, file);
        const Description& description = again.model->description;
        columns = path_columns(again);
        const Replay what{again, description.scheme(arm.scheme), samples, parse_spacing(every), false, caller, waiting};
        const auto compare = [&](Path& path) {
          if (arm.table.is_finished(arm.table.row(path.sample)))
            path.different = differences(arm, path.sample, description, path.result);
        };
        const double available = memory_available();
        double kept = 0;  // bytes, with the index of each Dataset, which is a copy of its times
        replay_samples(what, compare, [&](Path& path) {
          kept += path.bytes + static_cast<double>(path.rows() * sizeof(double));
          if (kept > available)
            throw Error(Exit::device, "the paths of " + std::to_string(samples.size()) +
                                          (samples.size() == 1 ? " sample takes" : " samples take") +
                                          " more than the " + bytes_text(available) +
                                          " of memory that are available: ask for fewer samples, or for fewer rows by "
                                          "--every");
          paths.push_back(std::move(path));
        });
        return Exit::ok;
      });
  if (nb::cast<int>(came_to[1]) != 0) return came_to;
  nb::list names, replayed;
  for (const Column& column : columns) names.append(nb::make_tuple(column.name, column.unit, column.meaning));
  for (Path& path : paths) {
    const std::size_t rows = path.rows(), width = path.columns;
    replayed.append(nb::make_tuple(path.sample, static_cast<int>(path.result.status), path.different,
                                   array_of(std::move(path.values), {rows, width})));
  }
  return nb::make_tuple(nb::make_tuple(names, replayed), came_to[1], came_to[2]);
}

/// What the samples of a run draw: names and units of the inputs, and values [inputs, samples].
nb::tuple drawn(const Found& found, std::size_t number, std::size_t finer, const std::string& file,
                nb::object callbacks, const std::shared_ptr<Stop>& stop) {
  std::vector<Input> inputs;
  std::vector<std::uint64_t> samples;
  std::vector<double> values;
  const nb::tuple came_to =
      carried_out(std::move(callbacks), stop, [&](const Caller& caller, const auto& waiting, const auto&) {
        const ReadingWatch watch = leaving(caller, waiting);
        const Arm& arm = arm_of(found, number, finer);
        const Run run = run_of(found, arm, finer > 0, file);
        inputs = run.varied;
        samples.resize(arm.table.samples);
        for (std::uint64_t row = 0; row < samples.size(); ++row) samples[row] = arm.table.number(row);
        values = draw_inputs(run, samples);
        waiting();
        return Exit::ok;
      });
  if (nb::cast<int>(came_to[1]) != 0) return came_to;
  nb::list names;
  for (const Input& input : inputs) names.append(nb::make_tuple(input.name, input.unit, input.meaning));
  const nb::tuple told = nb::make_tuple(names, array_of(std::move(values), {inputs.size(), samples.size()}));
  return nb::make_tuple(told, came_to[1], came_to[2]);
}

/// The maps of an arm: the raster and what is said of it, and the layers with their values [rows, columns]; None where
/// it has none. `file` is where they are, if they were read from there.
nb::object py_maps(const Found& found, std::size_t number, const std::vector<std::string>& layers,
                   const std::string& file) {
  if (!found.arms.at(number).map_facts) return nb::none();
  std::vector<MapLayer> made;
  {
    const nb::gil_scoped_release others_run;
    // What is asked of arms for their maps, without their samples.
    std::vector<Arm> arms;
    for (const Arm& arm : found.arms) {
      Arm& light = arms.emplace_back();
      light.name = arm.name;
      light.maps = arm.maps;
      light.map_facts = arm.map_facts;
      light.table.description = arm.table.description;
      light.table.replicates = arm.table.replicates;
      if (arm.maps) light.run = std::make_shared<const Run>(run_of(found, arm, false, file));
    }
    if (!arms[number].maps && digests_of(read_result(file, false).arms) != digests_of(found.arms))
      throw Error(Exit::input, file + ": is no longer the result that was opened");
    for_each_layer(file, arms, arms[number], layers, [&](const MapLayer& layer) { made.push_back(layer); });
  }
  const MapFacts& facts = *found.arms[number].map_facts;
  const std::size_t rows = static_cast<std::size_t>(facts.grid.rows),
                    columns = static_cast<std::size_t>(facts.grid.columns);
  nb::list all;
  for (MapLayer& layer : made) {
    nb::object values = layer.is_count ? nb::cast(array_of(std::move(layer.counts), {rows, columns}))
                                       : nb::cast(array_of(std::move(layer.values), {rows, columns}));
    all.append(nb::make_tuple(layer.name, layer.unit, layer.meaning, values));
  }
  nb::dict told;
  told["west"] = facts.grid.west;
  told["south"] = facts.grid.south;
  told["cell"] = facts.grid.cell;
  told["columns"] = columns;
  told["rows"] = rows;
  told["n"] = facts.counted;
  told["interval"] = facts.interval;
  told["maps_digest"] = facts.digest;
  told["grid_mapping_name"] = cf_grid_mapping(found.run.crs_wkt);
  told["crs_wkt"] = found.run.crs_wkt;
  return nb::make_tuple(told, all);
}

/// Which samples enter a column [samples].
nb::ndarray<nb::numpy, std::uint8_t> entering(const Found& found, std::size_t number, std::size_t finer, int column) {
  const SummaryTable& table = arm_of(found, number, finer).table;
  std::vector<std::uint8_t> enter(table.samples);
  for (std::uint64_t i = 0; i < table.samples; ++i) enter[i] = enters(table, column, i);
  return array_of(std::move(enter), {static_cast<std::size_t>(table.samples)});
}

void py_save(const Found& found, const std::string& path, bool force) {
  const nb::gil_scoped_release others_run;
  check_output(path, force);
  const bool is_study = found.arms.size() > 1 || !found.arms[0].finer.empty();
  const Evaluation evaluation = is_study ? evaluate_in_words(found.run, found.arms, 1) : Evaluation{};
  write_result(path, found.run, found.arms, force, is_study ? &evaluation : nullptr);
  add_sensitivity(path, found.run, found.variants);
}

/// How this was built, and for which processors.
nb::dict build() {
  nb::dict told;
  told["version"] = SCREE_VERSION;
  told["commit"] = SCREE_COMMIT;
  told["date"] = SCREE_DATE;
  told["compiler"] = SCREE_COMPILER;
  told["build_type"] = SCREE_BUILD_TYPE;
  nb::list systems, isas, here;
  bool has[isa_count] = {};
  for (const Model& model : models()) {
    systems.append(model.description.system);
    for (int isa = 0; isa < isa_count; ++isa)
      has[isa] = has[isa] || model.kernels.pack[isa] != nullptr || model.kernels.scalar[isa] != nullptr;
  }
  for (int isa = 0; isa < isa_count; ++isa) {
    if (!has[isa]) continue;
    isas.append(isa_names[isa]);
    if (scree_processor_has(isa)) here.append(isa_names[isa]);
  }
  told["isas"] = nb::tuple(isas);
  told["isas_here"] = nb::tuple(here);
  told["cuda"] = SCREE_HAS_CUDA != 0;
  told["systems"] = nb::tuple(systems);
  return told;
}

nb::list columns_of(const Found& found, std::size_t number) {
  nb::list columns;
  for (const Column& column : found.arms.at(number).table.description->columns)
    columns.append(nb::make_tuple(column.name, column.unit, column.meaning, column.counted == Counted::stopped));
  return columns;
}

}  // namespace
}  // namespace scree

NB_MODULE(_core, module) {
  using namespace scree;
  module.doc() = "What the package scree calls of the library.";
  nb::register_exception_translator([](const std::exception_ptr& exception, void*) {
    try {
      std::rethrow_exception(exception);
    } catch (const Error& error) {
      const nb::object made =
          nb::module_::import_("scree._errors").attr("of_code")(static_cast<int>(error.code), error.what());
      PyErr_SetObject(made.type().ptr(), made.ptr());
    }
  });

  nb::class_<Stop>(module, "Stop", "Asks a command for its end: once for those in flight to end, twice at once.")
      .def("__init__", [](Stop* self) { new (self) Stop(); })
      .def("ask", &Stop::ask)
      .def("asked", &Stop::asked)
      .def("insisted", &Stop::insisted);
  nb::class_<Found>(module, "Found", "What a command has found.")
      .def_ro("json", &Found::json)
      .def_prop_ro("arms",
                   [](const Found& found) {
                     std::vector<std::string> names;
                     for (const Arm& arm : found.arms) names.push_back(arm.name);
                     return names;
                   })
      .def_prop_ro(
          "varied",
          [](const Found& found) {
            nb::list inputs;
            for (const Input& input : found.run.varied)
              inputs.append(nb::make_tuple(input.name, input.meaning, input.choices));
            return inputs;
          },
          nb::sig("def varied(self) -> list[tuple[str, str, list[str]]]"),
          "Of each input that varies its name, its meaning, and the names of its values, if they have names.")
      .def_prop_ro("config", [](const Found& found) { return found.run.config_text; })
      .def("columns", &columns_of, "arm"_a, nb::sig("def columns(self, arm: int) -> list[tuple[str, str, str, bool]]"))
      .def(
          "finer", [](const Found& found, std::size_t arm) { return found.arms.at(arm).finer.size(); }, "arm"_a,
          "At how many finer steps an arm was run too.")
      .def(
          "facts",
          [](const Found& found, std::size_t arm, std::size_t finer) {
            return json_text(arm_json(found.run, arm_of(found, arm, finer)));
          },
          "arm"_a, "finer"_a, "What --json prints of an arm.")
      .def(
          "first",
          [](const Found& found, std::size_t arm, std::size_t finer) { return arm_of(found, arm, finer).table.first; },
          "arm"_a, "finer"_a = 0)
      .def(
          "values",
          [](const Found& found, std::size_t number, std::size_t finer) {
            const SummaryTable& table = arm_of(found, number, finer).table;
            return nb::ndarray<nb::numpy, const double, nb::ndim<2>>(
                table.values.data(), {table.description->columns.size(), table.samples}, nb::find(found));
          },
          "arm"_a, "finer"_a = 0, "The summaries [columns, samples], in place.")
      .def(
          "status",
          [](const Found& found, std::size_t number, std::size_t finer) {
            const SummaryTable& table = arm_of(found, number, finer).table;
            return nb::ndarray<nb::numpy, const std::uint32_t, nb::ndim<1>>(table.status.data(), {table.samples},
                                                                            nb::find(found));
          },
          "arm"_a, "finer"_a = 0, "How each sample ended [samples], in place.")
      .def("entering", &entering, "arm"_a, "finer"_a, "column"_a, "Which samples enter the statistics of a column.")
      .def(
          "resting_place",
          [](const Found& found, std::size_t arm) {
            const Description& description = *found.arms.at(arm).table.description;
            return nb::make_tuple(description.deposition_x, description.deposition_y);
          },
          "arm"_a, nb::sig("def resting_place(self, arm: int) -> tuple[int, int]"),
          "The columns of x and y where samples stop; -1: there are none.")
      .def("replay", &py_replay, "arm"_a, "finer"_a, "samples"_a, "every"_a, "file"_a, "callbacks"_a, "stop"_a,
           nb::sig(
               "def replay(self, arm: int, finer: int, samples: collections.abc.Sequence[int], every: str, file: str, "
               "callbacks: object, stop: Stop) -> tuple[tuple[list[tuple[str, str, str]], "
               "list[tuple[int, int, str, numpy.typing.NDArray[numpy.float64]]]] | None, int, str]"))
      .def("drawn", &drawn, "arm"_a, "finer"_a, "file"_a, "callbacks"_a, "stop"_a,
           nb::sig("def drawn(self, arm: int, finer: int, file: str, callbacks: object, stop: Stop) -> "
                   "tuple[tuple[list[tuple[str, str, str]], numpy.typing.NDArray[numpy.float64]] | None, int, str]"))
      .def("maps", &py_maps, "arm"_a, "layers"_a, "file"_a,
           nb::sig("def maps(self, arm: int, layers: collections.abc.Sequence[str], file: str) -> "
                   "tuple[dict[str, typing.Any], list[tuple[str, str, str, numpy.typing.NDArray[typing.Any]]]] | None"))
      .def("save", &py_save, "path"_a, "force"_a);

  module.def("run", &py_run, "settings"_a, "callbacks"_a, "stop"_a,
             nb::sig("def run(settings: dict[str, typing.Any], callbacks: object, stop: Stop) -> "
                     "tuple[Found | None, int, str]"));
  module.def("compare", &py_compare, "settings"_a, "converge"_a, "callbacks"_a, "stop"_a,
             nb::sig("def compare(settings: dict[str, typing.Any], converge: bool, callbacks: object, stop: Stop) -> "
                     "tuple[Found | None, int, str]"));
  module.def("check", &py_check, "settings"_a, "callbacks"_a, "stop"_a,
             nb::sig("def check(settings: dict[str, typing.Any], callbacks: object, stop: Stop) -> "
                     "tuple[tuple[str, str] | None, int, str]"));
  module.def(
      "merge", &py_merge, "parts"_a, "out"_a, "force"_a, "partial"_a, "link"_a, "callbacks"_a, "stop"_a,
      nb::sig("def merge(parts: collections.abc.Sequence[str], out: str, force: bool, partial: bool, link: bool, "
              "callbacks: object, stop: Stop) -> tuple[Found | None, int, str]"));
  module.def("open", &py_open, "path"_a, "callbacks"_a, "stop"_a,
             nb::sig("def open(path: str, callbacks: object, stop: Stop) -> tuple[Found | None, int, str]"));
  module.def(
      "init", [](const std::string& system) { return init_text(known_model("init", system).description); }, "system"_a);
  module.def(
      "listed", [](const std::string& system) { return list_json(system).dump(); }, "system"_a);
  module.def("build", &build, nb::sig("def build() -> dict[str, typing.Any]"));
  module.def("status_names", [] { return std::vector<std::string>(std::begin(status_names), std::end(status_names)); });
  module.attr("version") = SCREE_VERSION;
  module.attr("commit") = SCREE_COMMIT;
}
