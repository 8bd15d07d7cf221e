#include "vtp.hpp"

#include <fstream>

#include "host/common/base64.hpp"
#include "host/common/error.hpp"
#include "host/common/markup.hpp"

namespace scree {
namespace {

/// The arrays of a file: their elements and, in the order of these, their bytes.
class Arrays {
 public:
  template <class T>
  std::string element(const std::string& name, const char* type, int components, const std::vector<T>& values) {
    const std::string text = "<DataArray type=\"" + std::string(type) + "\" Name=\"" + escaped(name) +
                             "\" NumberOfComponents=\"" + std::to_string(components) +
                             "\" format=\"appended\" offset=\"" + std::to_string(appended_.size()) + "\"/>\n";
    const std::uint64_t size = values.size() * sizeof(T);
    std::string bytes(reinterpret_cast<const char*>(&size), sizeof size);
    bytes.append(reinterpret_cast<const char*>(values.data()), size);
    appended_ += base64(bytes);
    return text;
  }
  const std::string& appended() const { return appended_; }

 private:
  std::string appended_;
};

}  // namespace

void write_vtp(const std::string& path, const VtpMesh& mesh) {
  Arrays arrays;
  std::vector<double> points;
  for (const auto& point : mesh.points) points.insert(points.end(), point.begin(), point.end());
  std::vector<std::int64_t> connectivity, offsets;
  for (const auto& cell : mesh.cells) {
    connectivity.insert(connectivity.end(), cell.begin(), cell.end());
    offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
  }
  const auto data = [&](const char* tag, const std::vector<VtpArray>& of) {
    std::string text = std::string("<") + tag + ">\n";
    for (const VtpArray& array : of) text += arrays.element(array.name, "Float64", 1, array.values);
    return text + "</" + tag + ">\n";
  };
  const std::string cells = mesh.polygons ? "Polys" : "Lines", count = std::to_string(mesh.cells.size());
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n<PolyData>\n<Piece NumberOfPoints=\"" +
      std::to_string(mesh.points.size()) + "\" NumberOfVerts=\"0\" NumberOfLines=\"" + (mesh.polygons ? "0" : count) +
      "\" NumberOfStrips=\"0\" NumberOfPolys=\"" + (mesh.polygons ? count : "0") + "\">\n";
  text += data("PointData", mesh.point_data) + data("CellData", mesh.cell_data);
  text += "<Points>\n" + arrays.element("Points", "Float64", 3, points) + "</Points>\n<" + cells + ">\n" +
          arrays.element("connectivity", "Int64", 1, connectivity) + arrays.element("offsets", "Int64", 1, offsets) +
          "</" + cells + ">\n</Piece>\n</PolyData>\n<AppendedData encoding=\"base64\">\n_";
  std::ofstream file(path, std::ios::binary);
  file << text << arrays.appended() << "\n</AppendedData>\n</VTKFile>\n";
  file.close();
  if (!file) throw Error(Exit::failed, path + ": cannot be written");
}

}  // namespace scree
