#include "reference.hpp"

#include <fstream>
#include <stdexcept>

namespace scree::test {

Json reference(const std::string& name) {
  const std::string path = SCREE_SOURCE_DIR "/tests/reference/" + name;
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  return Json::parse(file);
}

}  // namespace scree::test
