// Numbers of which there may be more than memory is to hold.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "mapped_file.hpp"

namespace scree {

/// A vector, or as many numbers in a mapped file. A copy is in memory, and so are those to which more are added.
template <class Number>
class Numbers {
 public:
  Numbers() = default;
  Numbers(std::vector<Number> values) : memory_(std::move(values)) { follow(); }
  Numbers(std::initializer_list<Number> values) : memory_(values) { follow(); }
  Numbers(const Numbers& other) : memory_(other.begin(), other.end()) { follow(); }
  Numbers(Numbers&& other) noexcept { swap(other); }
  Numbers& operator=(Numbers other) noexcept {
    swap(other);
    return *this;
  }
  ~Numbers() = default;
  /// So many zeros in a file, as MappedFile makes it.
  static Numbers in_file(const std::string& path, std::size_t size) {
    Numbers numbers;
    numbers.file_ = std::make_unique<MappedFile>(path, size * sizeof(Number));
    numbers.data_ = static_cast<Number*>(numbers.file_->data());
    numbers.size_ = size;
    return numbers;
  }
  bool is_in_file() const { return file_ != nullptr; }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Number* data() { return data_; }
  const Number* data() const { return data_; }
  Number& operator[](std::size_t i) { return data_[i]; }
  const Number& operator[](std::size_t i) const { return data_[i]; }
  Number* begin() { return data_; }
  Number* end() { return data_ + size_; }
  const Number* begin() const { return data_; }
  const Number* end() const { return data_ + size_; }
  bool operator==(const Numbers& other) const {
    return size_ == other.size_ && std::equal(begin(), end(), other.begin());
  }

  void assign(std::size_t size, Number value) { *this = std::vector<Number>(size, value); }
  void resize(std::size_t size) {
    take_in();
    memory_.resize(size);
    follow();
  }
  void push_back(Number value) {
    take_in();
    memory_.push_back(value);
    follow();
  }
  template <class Iterator>
  void insert(const Number* before, Iterator first, Iterator last) {
    const auto place = before - data_;
    take_in();
    memory_.insert(memory_.begin() + place, first, last);
    follow();
  }

  /// Of a file: lets these numbers out of memory until they are asked for (MappedFile::release).
  void release(std::size_t first, std::size_t count) const {
    if (file_) file_->release(first * sizeof(Number), count * sizeof(Number));
  }

 private:
  void take_in() {
    if (!file_) return;
    memory_.assign(begin(), end());
    file_.reset();
  }
  void follow() {
    data_ = memory_.data();
    size_ = memory_.size();
  }
  void swap(Numbers& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(file_, other.file_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }
  std::vector<Number> memory_;
  std::unique_ptr<MappedFile> file_;
  Number* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace scree
