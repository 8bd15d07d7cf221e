// The numbers under tests/reference/, as JSON.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "src/vec.hpp"
#include "worst.hpp"

namespace scree::test {

using Json = nlohmann::json;

Json reference(const std::string& name);
inline Vec3<double> vector_of(const Json& list) { return {list[0], list[1], list[2]}; }
inline Quaternion<double> quaternion_of(const Json& list) { return {list[0], list[1], list[2], list[3]}; }

/// Largest difference of a component; NaN if one is.
inline double distance(const Vec3<double>& a, const Vec3<double>& b) {
  return worst(std::fabs(a.x - b.x), worst(std::fabs(a.y - b.y), std::fabs(a.z - b.z)));
}
/// The same for two orientations, whose signs mean nothing.
inline double distance(const Quaternion<double>& a, const Quaternion<double>& b) {
  const double s = dot(a, b) < 0 ? -1.0 : 1.0;
  return worst(distance(Vec3<double>{a.x, a.y, a.z}, s * Vec3<double>{b.x, b.y, b.z}), std::fabs(a.w - s * b.w));
}

}  // namespace scree::test
