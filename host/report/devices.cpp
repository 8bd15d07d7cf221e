#include "devices.hpp"

#include <ostream>

#include "host/common/text_table.hpp"
#include "host/engine/memory.hpp"

namespace scree {
namespace {

/// `text` of a number that the driver told, else "-".
std::string told(double number, const std::string& text) { return number > 0 ? text : "-"; }

std::string capability(const CudaDevice& device) {
  return told(device.major, std::to_string(device.major) + "." + std::to_string(device.minor));
}

/// What FP64 has of the rate of FP32: "1/2".
std::string fp64_share(const CudaDevice& device) {
  return told(device.fp32_per_fp64, "1/" + std::to_string(device.fp32_per_fp64));
}

/// Null if it is not known.
template <class Number>
Json number(Number x) {
  return x > 0 ? Json(x) : Json(nullptr);
}

Json device_json(const CudaDevice& device) {
  return {{"device", device.number},
          {"name", device.name},
          {"pci_bus", device.pci_bus},
          {"compute_capability", device.major > 0 ? Json(capability(device)) : Json(nullptr)},
          {"multiprocessors", number(device.multiprocessors)},
          {"clock", number(device.clock)},
          {"memory", number(device.memory)},
          {"memory_bandwidth", number(device.bandwidth)},
          {"fp32_per_fp64", number(device.fp32_per_fp64)}};
}

}  // namespace

std::string fp64_warning(const CudaDevice& device) {
  // 2 on the A100, H100, H200 and B200; 32 or 64 on cards for graphics and inference.
  constexpr int most = 4;
  if (device.fp32_per_fp64 <= most) return "";
  return "device " + std::to_string(device.number) + ", " + device.name + ": FP64, in which all is computed, runs at " +
         fp64_share(device) + " of the rate of FP32; the CPU may be faster, `scree bench` shows it";
}

void print_devices(std::ostream& out, std::span<const CudaDevice> devices) {
  TextTable table(2, {"device", "name", "capability", "multiprocessors", "clock GHz", "memory", "FP64 of FP32"});
  for (const CudaDevice& device : devices)
    table.row({"cuda:" + std::to_string(device.number), device.name, capability(device),
               told(device.multiprocessors, std::to_string(device.multiprocessors)),
               told(device.clock, short_number(1e-9 * device.clock)), told(device.memory, bytes_text(device.memory)),
               fp64_share(device)});
  table.print(out);
}

Json devices_json(std::span<const CudaDevice> devices, const std::string& why) {
  Json json{{"devices", Json::array()}, {"why", devices.empty() ? Json(why) : Json(nullptr)}};
  for (const CudaDevice& device : devices) json["devices"].push_back(device_json(device));
  return json;
}

void print_limits(std::ostream& out, const DeviceLimits& limits) {
  const CudaDevice& device = limits.device;
  out << "cuda:" << device.number << ": " << device.name << ", compute capability " << capability(device) << ", PCI "
      << device.pci_bus << '\n';
  TextTable table(2, {"limit", "value"});
  const auto flops = [](double rate) { return short_number(1e-12 * rate) + " TFlop/s"; };
  table.row({"multiprocessors", told(device.multiprocessors, std::to_string(device.multiprocessors))});
  table.row({"clock, highest", told(device.clock, short_number(1e-9 * device.clock) + " GHz")});
  table.row({"FP64, measured", told(limits.fp64_flops, flops(limits.fp64_flops))});
  table.row({"FP64 of FP32, by the driver", fp64_share(device)});
  table.row({"memory", told(device.memory, bytes_text(device.memory))});
  table.row({"memory, free", told(limits.free_memory, bytes_text(limits.free_memory))});
  table.row({"memory's bandwidth, by its clock", told(device.bandwidth, bytes_text(device.bandwidth) + "/s")});
  table.row({"rocks that are stepped at once",
             told(static_cast<double>(limits.rocks_in_flight), std::to_string(limits.rocks_in_flight))});
  table.print(out);
}

Json limits_json(std::span<const DeviceLimits> all) {
  Json list = Json::array();
  for (const DeviceLimits& limits : all) {
    Json json = device_json(limits.device);
    json["fp64_flops"] = number(limits.fp64_flops);
    json["free_memory"] = number(limits.free_memory);
    json["rocks_in_flight"] = number(limits.rocks_in_flight);
    json["obstacle"] = limits.obstacle.empty() ? Json(nullptr) : Json(limits.obstacle);
    const std::string warning = fp64_warning(limits.device);
    json["warnings"] = warning.empty() ? Json::array() : Json{warning};
    list.push_back(json);
  }
  return {{"devices", list}};
}

}  // namespace scree
