// `scree export`: maps, gates, barriers, resting places and paths of a result as files of GIS programs and of VTK.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/common/caller.hpp"

namespace scree {

struct ExportOptions {
  std::string result, kind, output, arm, names;
  std::vector<std::string> layers;
  std::optional<std::uint64_t> paths;
  bool wgs84 = false, force = false;
  Caller caller;
};

/// geotiff, asc, gpkg, geojson, csv, vtp
const std::vector<std::string>& export_kinds();

void export_command(const ExportOptions& options);

}  // namespace scree
