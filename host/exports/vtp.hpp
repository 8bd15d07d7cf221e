// Lines and surfaces as files of VTK, which ParaView opens: VTK XML PolyData (.vtp).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace scree {

/// A number for each point, or for each line.
struct VtpArray {
  std::string name;  // with its unit
  std::vector<double> values;
};

struct VtpMesh {
  std::vector<std::array<double, 3>> points;  // m
  /// The points of each line, or of each polygon, by their numbers.
  std::vector<std::vector<std::int64_t>> cells;
  bool polygons = false;
  std::vector<VtpArray> point_data, cell_data;
};

/// Little-endian, arrays appended as base64. Throws Error(Exit::failed).
void write_vtp(const std::string& path, const VtpMesh& mesh);

}  // namespace scree
