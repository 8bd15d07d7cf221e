#include "power.hpp"

#include <limits>

// A build without CUDA has no GPU to measure, and a static program no way to load NVML.
#if SCREE_HAS_CUDA
#include <dlfcn.h>

namespace scree {
namespace {

// Of nvml.h, whose functions return 0 for success and whose device handle is a pointer.
template <class... Arguments>
bool call(void* library, const char* name, Arguments... arguments) {
  const auto function = reinterpret_cast<int (*)(Arguments...)>(dlsym(library, name));
  return function != nullptr && function(arguments...) == 0;
}

}  // namespace

PowerMeter::PowerMeter(const std::string& pci_bus) {
  if (pci_bus.empty()) return;
  library_ = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library_ == nullptr || !call(library_, "nvmlInit_v2")) return;
  if (!call(library_, "nvmlDeviceGetHandleByPciBusId_v2", pci_bus.c_str(), &device_)) device_ = nullptr;
}

PowerMeter::~PowerMeter() {
  if (library_ == nullptr) return;
  call(library_, "nvmlShutdown");
  dlclose(library_);
}

double PowerMeter::joules() const {
  unsigned long long millijoules = 0;
  if (device_ == nullptr || !call(library_, "nvmlDeviceGetTotalEnergyConsumption", device_, &millijoules))
    return std::numeric_limits<double>::quiet_NaN();
  return 1e-3 * static_cast<double>(millijoules);
}

}  // namespace scree

#else

namespace scree {

PowerMeter::PowerMeter(const std::string&) {}
PowerMeter::~PowerMeter() = default;
double PowerMeter::joules() const { return std::numeric_limits<double>::quiet_NaN(); }

}  // namespace scree

#endif
