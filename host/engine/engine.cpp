#include "engine.hpp"

#include <algorithm>
#include <charconv>
#include <exception>
#include <iterator>
#include <sstream>

#include "host/common/available_threads.hpp"
#include "host/common/error.hpp"
#include "host/common/suggest.hpp"
#include "kernels/cpu_threads.hpp"
#include "kernels/cuda_devices.hpp"
#include "kernels/visits.hpp"

namespace scree {
namespace {

/// A CPU backend with the best instruction set that it, the processor and the option allow.
Engine cpu_engine(const std::string& backend, const Kernel (&kernels)[isa_count], const EngineOptions& options) {
  const auto missing = [&](int isa) -> std::string {
    if (kernels[isa] == nullptr) return "this program was built without " + std::string(isa_titles[isa]) + " kernels";
    if (!scree_processor_has(isa)) return "this processor has no " + std::string(isa_titles[isa]);
    return "";
  };
  int isa = isa_of(options.isa);
  if (isa < 0) {
    isa = best_isa(kernels);
    if (isa < 0)
      throw Error(Exit::device, "backend " + backend + ": this program was built for other processors than this one");
  } else {
    if (backend == "scalar" && isa == static_cast<int>(Isa::avx512))
      throw Error(Exit::usage, "--isa avx512 is for the pack backend, not for scalar");
    if (const std::string why = missing(isa); !why.empty())
      throw Error(Exit::device, "backend " + backend + ": --isa " + options.isa + ": " + why);
  }
  Engine engine;
  engine.kernel = kernels[isa];
  engine.backend = backend;
  engine.device = isa_titles[isa];
  engine.threads = options.threads > 0 ? options.threads : available_threads();
  engine.grace = options.grace;
  engine.while_waiting = options.while_waiting;
  return engine;
}

Engine cuda_engine(const Model& model, int device, const EngineOptions& options) {
  std::string why = "this program was built without CUDA";
  const int count = model.kernels.cuda ? scree_cuda_devices(&why) : 0;
  if (count == 0) throw Error(Exit::device, "backend cuda: no device: " + why);
  if (device >= count)
    throw Error(Exit::device, "backend cuda:" + std::to_string(device) + ": no such device, this machine has " +
                                  std::to_string(count) + ", numbered from 0");
  Engine engine;
  engine.kernel = model.kernels.cuda;
  engine.backend = "cuda";
  engine.device_number = device;
  engine.grace = options.grace;
  engine.while_waiting = options.while_waiting;
  CudaDevice facts;
  scree_cuda_device(device, &facts);
  engine.device = facts.name;
  return engine;
}

/// K of "cuda:K", 0 of "cuda", -1 of anything else.
int device_of(const std::string& backend) {
  if (backend == "cuda") return 0;
  int device = -1;
  if (backend.compare(0, 5, "cuda:") != 0) return -1;
  const char *first = backend.data() + 5, *last = backend.data() + backend.size();
  const auto [end, error] = std::from_chars(first, last, device);
  return error == std::errc{} && end == last && device >= 0 ? device : -1;
}

}  // namespace

std::vector<std::string> isa_choices() {
  std::vector<std::string> choices{"auto"};
  choices.insert(choices.end(), std::begin(isa_names), std::end(isa_names));
  return choices;
}

int isa_of(const std::string& name) {
  const std::vector<std::string> choices = isa_choices();
  const auto found = std::ranges::find(choices, name);
  if (found == choices.end())
    throw Error(Exit::usage, "--isa " + (name.empty() ? "\"\"" : name) + ", must be one of " + joined(choices));
  return static_cast<int>(found - choices.begin()) - 1;
}

bool Engine::has_threads() const {
  return workers.empty() ? !is_cuda() : std::ranges::any_of(workers, &Engine::has_threads);
}

std::string Engine::text() const {
  return backend + (device.empty() ? "" : " (" + device + ")") +
         (has_threads() ? ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads") : "");
}

int Engine::host_threads() const { return is_cuda() || !workers.empty() ? available_threads() : threads; }

std::string obstacle(const Run& run, const Engine& engine) {
  std::vector<std::byte> ensemble = run.model->ensemble(run.spec);
  VisitCollector nobody([](const PassageBatch&) {});
  if (run.is_watched()) world_of(ensemble).visits = &nobody;
  std::vector<double> columns(run.model->description.columns.size());
  std::uint32_t status = static_cast<std::uint32_t>(Status::not_run);
  // Asked to stop before it begins, a backend takes its memory, places the first sample and ends.
  Control control;
  control.cancel = true;
  const Job job{
      ensemble.data(), run.spec.tables.size(), 0, 0, 1, columns.data(), 1, &status, 1, 0, engine.device_number,
      &control};
  try {
    engine.kernel(job);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

namespace {

/// "cuda:0", "cuda:1" of "cuda:all"; what commas separate. Empty of one backend.
std::vector<std::string> named_workers(const Model& model, const std::string& backend) {
  std::vector<std::string> names;
  std::string why;
  std::istringstream list(backend);
  for (std::string name; std::getline(list, name, ',');) {
    if (name != "cuda:all") {
      names.push_back(name);
      continue;
    }
    const int devices = model.kernels.cuda ? scree_cuda_devices(&why) : 0;
    for (int k = 0; k < devices; ++k) names.push_back("cuda:" + std::to_string(k));
    if (devices == 0) names.emplace_back("cuda:0");  // which says why there is none
  }
  for (std::string& name : names)
    if (name == "cuda") name = "cuda:0";
  for (const std::string& name : names)
    if (std::ranges::count(names, name) > 1)
      throw Error(Exit::usage, "--backend " + backend + ": names " + name + " twice");
  if (backend.ends_with(',')) names.emplace_back();
  return backend.find(',') != std::string::npos || backend == "cuda:all" ? names : std::vector<std::string>{};
}

/// Several backends that share the samples.
Engine engine_of_several(const Run& run, const std::vector<std::string>& names, const EngineOptions& options) {
  const auto is_cpu = [](const std::string& name) { return device_of(name) < 0; };
  const int on_threads = static_cast<int>(std::ranges::count_if(names, is_cpu));
  if (options.threads > 0 && options.threads < on_threads)
    throw Error(Exit::usage, "--threads " + std::to_string(options.threads) + ": --backend " + options.backend +
                                 " needs " + std::to_string(on_threads));
  const int all = options.threads > 0 ? options.threads : available_threads();
  Engine engine;
  std::vector<std::string> devices;
  int given = 0, place = 0;
  for (const std::string& name : names) {
    if (name == "auto" || name.empty())
      throw Error(Exit::usage, "--backend " + options.backend + ": \"" + name +
                                   "\" is none of several, must be scalar, pack or cuda:K");
    EngineOptions of_one = options;
    of_one.backend = name;
    if (is_cpu(name)) {
      ++place;
      of_one.threads = std::max(1, all * place / on_threads - given);
      given += of_one.threads;
    } else {
      of_one.isa = "auto";
    }
    Engine one = choose_engine(run, of_one);
    if (one.is_cuda())
      if (const std::string why = obstacle(run, one); !why.empty())
        throw Error(Exit::device, "backend " + name + " cannot run here: " + why);
    if (std::ranges::find(devices, one.device) == devices.end()) devices.push_back(one.device);
    engine.workers.push_back(std::move(one));
  }
  if (on_threads == 0 && options.isa != "auto")
    throw Error(Exit::usage, "--isa " + options.isa + " is for the CPU backends, not for " + options.backend);
  if (names.size() == 1) return engine.workers.front();
  engine.backend = joined(names, ",");
  engine.device = joined(devices);
  engine.threads = std::max(1, given);
  engine.grace = options.grace;
  engine.while_waiting = options.while_waiting;
  return engine;
}

}  // namespace

Engine choose_engine(const Run& run, const EngineOptions& options, const Caller& caller) {
  const Model& model = *run.model;
  static const std::vector<std::string> names{"auto", "scalar", "pack", "cuda", "cuda:K", "cuda:all"};
  if (const std::vector<std::string> several = named_workers(model, options.backend); !several.empty())
    return engine_of_several(run, several, options);
  const int device = device_of(options.backend);
  if (device >= 0 && options.isa != "auto")
    throw Error(Exit::usage, "--isa " + options.isa + " is for the CPU backends, not for " + options.backend);
  if (device >= 0) return cuda_engine(model, device, options);
  if (options.backend == "scalar") return cpu_engine("scalar", model.kernels.scalar, options);
  if (options.backend != "auto" && options.backend != "pack")
    throw Error(Exit::usage, "--backend " + options.backend + ": must be one of " + joined(names));
  std::string why;
  if (options.backend == "auto" && options.isa == "auto" && model.kernels.cuda && scree_cuda_devices(&why) > 0) {
    const Engine engine = cuda_engine(model, 0, options);
    why = obstacle(run, engine);
    if (why.empty()) return engine;
    caller.warn("backend " + engine.text() + " cannot run here, the CPU is used: " + why);
  }
  const bool packs = model.kernels.has_packs();
  if (options.backend == "pack" && !packs)
    throw Error(Exit::usage, "--backend pack: " + model.description.system +
                                 " is not compiled for packs, its samples have too little in common; scalar runs it");
  return packs ? cpu_engine("pack", model.kernels.pack, options) : cpu_engine("scalar", model.kernels.scalar, options);
}

}  // namespace scree
