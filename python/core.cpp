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
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "host/commands/commands.hpp"
#include "host/commands/info.hpp"
#include "host/commands/init.hpp"
#include "host/commands/merge.hpp"
#include "host/commands/offer.hpp"
#include "host/commands/replay_samples.hpp"
#include "host/common/version.hpp"
#include "host/model/inputs.hpp"
#include "host/report/verdict.hpp"
#include "host/results/output.hpp"
#include "host/results/result_file.hpp"
#include "host/results/stored_run.hpp"
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

  /// Signals of Python, as of Ctrl-C, which only its main thread sees.
  void look_for_signals() {
    const nb::gil_scoped_acquire held;
    if (PyErr_CheckSignals() != 0) take(nb::python_error());
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
                  std::string(name) + " = " + nb::repr(given_[name]).c_str() + " is of a type that it does not take");
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

nb::tuple py_compare(const nb::dict& given, nb::object callbacks, const std::shared_ptr<Stop>& stop) {
  CompareOptions options;
  std::string shard;
  Settings settings(given);
  settings.set("arms", options.arms);
  settings.set("steps", options.steps);
  settings.set("backends", options.backends);
  settings.set("step_error", options.step_error);
  set_the_rest(settings, options, shard);
  return carried_out(options, shard, &compare_command, std::move(callbacks), stop);
}

nb::tuple py_merge(const std::vector<std::string>& parts, const std::string& out, bool force, bool partial, bool link,
                   nb::object callbacks, const std::shared_ptr<Stop>& stop) {
  return carried_out(std::move(callbacks), stop, [&](const Caller& caller, const auto&, const auto& take) {
    MergeOptions options;
    options.parts = parts;
    options.output = out;
    options.force = force;
    options.partial = partial;
    options.link = link;
    options.caller = caller;
    options.take = take;
    return merge_command(options);
  });
}

nb::tuple py_open(const std::string& path, nb::object callbacks, const std::shared_ptr<Stop>& stop) {
  return carried_out(std::move(callbacks), stop, [&](const Caller&, const auto&, const auto& take) {
    take(found_in(path));
    return Exit::ok;
  });
}

/// The run of an arm, also of one that was read from a file.
Run run_of(const Found& found, const Arm& arm, const std::string& file) {
  if (found.run.model) return arm.run ? *arm.run : found.run;
  StoredResult stored;
  stored.run = found.run;
  return run_again(file, stored, arm);
}

/// Paths of samples: of each its number, its status, how it differs from what is stored, and its rows [rows, columns].
nb::tuple py_replay(const Found& found, std::size_t number, const std::vector<std::uint64_t>& samples,
                    const std::string& every, const std::string& file, nb::object callbacks,
                    const std::shared_ptr<Stop>& stop) {
  std::vector<Path> paths;
  std::vector<Column> columns;
  const nb::tuple came_to =
      carried_out(std::move(callbacks), stop, [&](const Caller& caller, const auto&, const auto&) {
        const Arm& arm = found.arms.at(number);
        for (const std::uint64_t sample : samples)
          if (!arm.table.has(sample))
            throw Error(Exit::usage, "replay: there is no sample " + std::to_string(sample) + ", they are " +
                                         std::to_string(arm.table.first) + " to " +
                                         std::to_string(arm.table.first + arm.table.samples - 1));
        const Run again = run_of(found, arm, file);
        const Description& description = again.model->description;
        columns = path_columns(again);
        const Replay what{again, description.scheme(arm.scheme), samples, parse_spacing(every), false, caller};
        const auto compare = [&](Path& path) {
          if (arm.table.is_finished(arm.table.row(path.sample)))
            path.different = differences(arm, path.sample, description, path.result);
        };
        const Stop::Accepting accepting(*caller.stop, nullptr);
        replay_samples(what, compare, [&](Path& path) { paths.push_back(std::move(path)); });
        return Exit::ok;
      });
  nb::list names, replayed;
  for (const Column& column : columns) names.append(nb::make_tuple(column.name, column.unit, column.meaning));
  for (Path& path : paths) {
    const std::size_t rows = path.rows(), width = path.columns;
    auto* values = new std::vector<double>(std::move(path.values));
    const nb::capsule owner(values, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
    replayed.append(nb::make_tuple(path.sample, static_cast<int>(path.result.status), path.different,
                                   nb::ndarray<nb::numpy, double, nb::ndim<2>>(values->data(), {rows, width}, owner)));
  }
  return nb::make_tuple(names, replayed, came_to[1], came_to[2]);
}

/// What the samples of a run draw: names and units of the inputs, and values [inputs, samples].
nb::tuple drawn(const Found& found, std::size_t number, const std::string& file) {
  const Arm& arm = found.arms.at(number);
  const Run run = run_of(found, arm, file);
  nb::list names;
  for (const Input& input : run.varied) names.append(nb::make_tuple(input.name, input.unit, input.meaning));
  std::vector<std::uint64_t> samples(arm.table.samples);
  for (std::uint64_t row = 0; row < samples.size(); ++row) samples[row] = arm.table.number(row);
  auto* values = new std::vector<double>(draw_inputs(run, samples));
  const nb::capsule owner(values, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  return nb::make_tuple(
      names, nb::ndarray<nb::numpy, double, nb::ndim<2>>(values->data(), {run.varied.size(), samples.size()}, owner));
}

void py_save(const Found& found, const std::string& path, bool force) {
  const nb::gil_scoped_release others_run;
  check_output(path, force);
  const bool is_study = found.arms.size() > 1 || !found.arms[0].finer.empty();
  const Evaluation evaluation = is_study ? evaluate_in_words(found.run, found.arms, 1) : Evaluation{};
  write_result(path, found.run, found.arms, force, is_study ? &evaluation : nullptr);
  add_sensitivity(path, found.run, found.variants);
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
      .def("asked", &Stop::asked);
  nb::class_<Found>(module, "Found", "What a command has found.")
      .def_ro("json", &Found::json)
      .def_prop_ro("arms",
                   [](const Found& found) {
                     std::vector<std::string> names;
                     for (const Arm& arm : found.arms) names.push_back(arm.name);
                     return names;
                   })
      .def_prop_ro("config", [](const Found& found) { return found.run.config_text; })
      .def("columns", &columns_of, "arm"_a)
      .def(
          "first", [](const Found& found, std::size_t arm) { return found.arms.at(arm).table.first; }, "arm"_a)
      .def(
          "values",
          [](const Found& found, std::size_t number) {
            const SummaryTable& table = found.arms.at(number).table;
            return nb::ndarray<nb::numpy, const double, nb::ndim<2>>(
                table.values.data(), {table.description->columns.size(), table.samples}, nb::find(found));
          },
          "arm"_a, "The summaries [columns, samples], in place.")
      .def(
          "status",
          [](const Found& found, std::size_t number) {
            const SummaryTable& table = found.arms.at(number).table;
            return nb::ndarray<nb::numpy, const std::uint32_t, nb::ndim<1>>(table.status.data(), {table.samples},
                                                                            nb::find(found));
          },
          "arm"_a, "How each sample ended [samples], in place.")
      .def("replay", &py_replay, "arm"_a, "samples"_a, "every"_a, "file"_a, "callbacks"_a, "stop"_a)
      .def("drawn", &drawn, "arm"_a, "file"_a)
      .def("save", &py_save, "path"_a, "force"_a);

  module.def("run", &py_run, "settings"_a, "callbacks"_a, "stop"_a);
  module.def("compare", &py_compare, "settings"_a, "callbacks"_a, "stop"_a);
  module.def("merge", &py_merge, "parts"_a, "out"_a, "force"_a, "partial"_a, "link"_a, "callbacks"_a, "stop"_a);
  module.def("open", &py_open, "path"_a, "callbacks"_a, "stop"_a);
  module.def(
      "init", [](const std::string& system) { return init_text(known_model("init", system).description); }, "system"_a);
  module.attr("version") = SCREE_VERSION;
  module.attr("commit") = SCREE_COMMIT;
  nb::list names, meanings;
  for (int s = 0; s < status_count; ++s) {
    names.append(status_names[s]);
    meanings.append(status_meanings[s]);
  }
  module.attr("status_names") = nb::tuple(names);
  module.attr("status_meanings") = nb::tuple(meanings);
}
