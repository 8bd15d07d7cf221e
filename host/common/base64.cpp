#include "base64.hpp"

#include <boost/archive/iterators/base64_from_binary.hpp>
#include <boost/archive/iterators/transform_width.hpp>

namespace scree {

std::string base64(std::string_view bytes) {
  namespace iterators = boost::archive::iterators;
  using Digits = iterators::base64_from_binary<iterators::transform_width<std::string_view::const_iterator, 6, 8>>;
  std::string text(Digits(bytes.begin()), Digits(bytes.end()));
  text.append((3 - bytes.size() % 3) % 3, '=');
  return text;
}

}  // namespace scree
