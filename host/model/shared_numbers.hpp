// Numbers that are one in memory for all copies of them: heights of a terrain may take most of it.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace scree {

class SharedNumbers {
 public:
  SharedNumbers() = default;
  SharedNumbers(std::vector<double> numbers) : numbers_(std::make_shared<std::vector<double>>(std::move(numbers))) {}
  // There are always numbers: what is moved is copied.
  SharedNumbers(const SharedNumbers&) = default;
  SharedNumbers& operator=(const SharedNumbers&) = default;

  std::size_t size() const { return numbers_->size(); }
  const double* data() const { return numbers_->data(); }
  const double* begin() const { return data(); }
  const double* end() const { return data() + size(); }
  double operator[](std::size_t i) const { return (*numbers_)[i]; }
  bool operator==(const SharedNumbers& other) const { return *numbers_ == *other.numbers_; }

  /// To write to; copies keep what they have.
  std::vector<double>& own() {
    if (numbers_.use_count() > 1) numbers_ = std::make_shared<std::vector<double>>(*numbers_);
    return *numbers_;
  }
  /// Becomes a copy of the other one if it has the same bits.
  void share_with(const SharedNumbers& other) {
    if (size() > 0 && size() == other.size() && std::memcmp(data(), other.data(), size() * sizeof(double)) == 0)
      numbers_ = other.numbers_;
  }

 private:
  std::shared_ptr<std::vector<double>> numbers_ = std::make_shared<std::vector<double>>();
};

}  // namespace scree
