// Energy that an NVIDIA device has taken, from its own counter: NVML, the management library that comes with the
// driver, opened at run time. Absent (NaN) where the library, the device or the counter is.
#pragma once

#include <string>

namespace scree {

class PowerMeter {
 public:
  /// `pci_bus` names the device; an empty name has no meter.
  explicit PowerMeter(const std::string& pci_bus);
  ~PowerMeter();
  PowerMeter(const PowerMeter&) = delete;
  PowerMeter& operator=(const PowerMeter&) = delete;

  /// J since the driver was loaded; NaN if the device does not report it.
  double joules() const;

 private:
  void* library_ = nullptr;
  void* device_ = nullptr;
};

}  // namespace scree
