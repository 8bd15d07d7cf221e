// What a system finds wrong with a sample although each of its values is in range.
#pragma once

namespace scree {

/// Text of a message that names the system before it and the sample behind it; none if nothing is wrong; of one
/// `of_all` what the release is. With a unit
/// ("1": dimensionless, "": a count), the number that would be allowed follows the text, and the unit if there is one.
struct Mistake {
  const char* text;
  double allowed = 0;
  const char* unit = nullptr;
  int ground_class = 0;  // of a map, that the text is about; 0: of none
  bool of_all = false;   // nonsense only if all samples have it; of some it is worth a line
  double x = 0, y = 0;   // where that is, m

  Mistake(const char* text) : text(text) {}
  Mistake(const char* text, double allowed, const char* unit) : text(text), allowed(allowed), unit(unit) {}
  Mistake of_all_at(double px, double py) const {
    Mistake mistake = *this;
    mistake.of_all = true;
    mistake.x = px;
    mistake.y = py;
    return mistake;
  }
  Mistake of_class(int number) const {
    Mistake mistake = *this;
    mistake.ground_class = number;
    return mistake;
  }
};

}  // namespace scree
