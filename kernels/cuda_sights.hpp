// Visits and crossings of watched paths (src/passage.hpp) on their way from a device to the host's lists.
//
// Threads append them to a buffer in device memory, which the host empties between launches. A look that may bring more
// than there is room for is not made: its sample stays at the end of its step until there is room, so no look is made
// by halves or twice. A sample is in one launch at a time and positions only rise, so that its entries lie in the order
// in which they happened, each piece of the buffer after the one before.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "../src/passage.hpp"
#include "cpu_watch.hpp"
#include "cuda_check.hpp"

namespace scree {

enum class Sight : std::uint32_t {
  nothing,    // what a look reserved and did not need, or the second half of a crossing
  visit,      // Visit
  back,       // std::uint32_t, how many visits
  crossed,    // LineCrossing, in this entry and the next
  uncrossed,  // std::uint32_t, how many crossings
};

struct SightHead {
  std::uint32_t slot;  // of the sample
  Sight what;
};
struct alignas(double) SightBody {
  unsigned char bytes[64];
};
static_assert(sizeof(Visit) <= sizeof(SightBody) && sizeof(LineCrossing) <= 2 * sizeof(SightBody));

/// In device memory, with its entries beside; World::visits of a launch.
struct SightBuffer {
  unsigned long long reserved;  // entries, those that found no room among them
  unsigned long long filled;    // where the first of those would have begun; `capacity` while there is none
  unsigned long long capacity;
  SightHead* heads;
  SightBody* bodies;

  /// Entries for all that one look may bring.
  HOST_DEVICE static std::uint64_t entries_for(const Sights& most) { return most.visits + 2 * most.crossings; }
};

/// The Taker of a thread.
class SightWriter {
 public:
  static constexpr bool may_be_full = true;

  /// The sample is told apart by its slot.
  HOST_DEVICE void set_slot(std::uint32_t slot) { slot_ = slot; }
  /// Whether the look at the last step is still to be made.
  HOST_DEVICE bool waits() const { return waits_; }

 protected:
  HOST_DEVICE double begin(const World&) { return 1; }
  HOST_DEVICE bool make_room(const World& world, const Sights& most) {
    waits_ = false;
    next_ = end_ = 0;
    const std::uint64_t entries = SightBuffer::entries_for(most);
    if (entries == 0) return true;
    buffer_ = static_cast<SightBuffer*>(world.visits);
    next_ = reserve(entries);
    end_ = next_ + entries;
    if (end_ <= buffer_->capacity) return true;
    // All that come later are beyond the end: one alone sees it between its own two.
    if (next_ <= buffer_->capacity) buffer_->filled = next_;
    waits_ = true;
    return false;
  }
  HOST_DEVICE void look_ends() {
    SCREE_ROLLED
    while (next_ < end_) buffer_->heads[next_++] = {slot_, Sight::nothing};
  }

 public:
  HOST_DEVICE void visit(double, const Visit& visit) { write(Sight::visit, visit); }
  HOST_DEVICE void back(double, std::uint32_t visits) { write(Sight::back, visits); }
  HOST_DEVICE void crossed(double, const LineCrossing& crossing) { write(Sight::crossed, crossing); }
  HOST_DEVICE void uncrossed(double, std::uint32_t crossings) { write(Sight::uncrossed, crossings); }

 private:
  HOST_DEVICE std::uint64_t reserve([[maybe_unused]] std::uint64_t entries) {
#if defined(__CUDA_ARCH__)
    return atomicAdd(&buffer_->reserved, static_cast<unsigned long long>(entries));
#else
    return 0;  // no sample is on this side
#endif
  }
  template <class T>
  HOST_DEVICE void write(Sight what, const T& value) {
    buffer_->heads[next_] = {slot_, what};
    std::memcpy(buffer_->bodies + next_, &value, sizeof value);
    ++next_;
    if constexpr (sizeof value > sizeof(SightBody)) buffer_->heads[next_++] = {slot_, Sight::nothing};
  }

  SightBuffer* buffer_;
  std::uint64_t next_, end_;  // of this look's entries
  std::uint32_t slot_;
  bool waits_;
};

/// The sink of a watched sample on a device.
template <class Phases>
using DeviceWatching = PathWatch<Phases, SightWriter>;

/// The lists of the samples in flight, by their slots.
class SlotVisits {
 public:
  SlotVisits(void* collector, std::size_t slots) : collector_(collector), lists_(slots, nullptr) {}

  void take(const SightHead& head, const SightBody* body) {
    switch (head.what) {
      case Sight::nothing:
        return;
      case Sight::visit:
        return scree_visit(list_of(head.slot), read<Visit>(body));
      case Sight::back:
        return scree_visits_back(list_of(head.slot), read<std::uint32_t>(body));
      case Sight::crossed:
        return scree_line_crossed(list_of(head.slot), read<LineCrossing>(body));
      case Sight::uncrossed:
        return scree_lines_uncrossed(list_of(head.slot), read<std::uint32_t>(body));
    }
  }
  void end(std::uint32_t slot, std::uint64_t sample, std::uint32_t status, const PathEnd& end) {
    scree_visits_end(list_of(slot), sample, status, end);
    lists_[slot] = nullptr;
  }

 private:
  void* list_of(std::uint32_t slot) {
    if (lists_[slot] == nullptr) lists_[slot] = scree_visits_begin(collector_);
    return lists_[slot];
  }
  template <class T>
  static T read(const SightBody* body) {
    T value;
    std::memcpy(&value, body, sizeof value);
    return value;
  }

  void* collector_;
  std::vector<void*> lists_;
};

/// A buffer and its way to the host. It is used by one stream at a time.
class SightBufferOnDevice {
 public:
  static constexpr std::size_t bytes_per_entry = sizeof(SightHead) + sizeof(SightBody);

  /// `capacity`: entries, >= 2, or none, which take no memory. A quarter is handed over at once, and at most
  /// `most_handed_over`.
  SightBufferOnDevice(std::size_t capacity, std::size_t most_handed_over, const CudaStream& stream)
      : piece_(capacity > 0 ? std::max<std::size_t>(std::min(capacity / 4, most_handed_over), 2) : 0),
        buffer_(capacity > 0 ? 1 : 0),
        heads_(capacity),
        bodies_(capacity),
        host_buffer_(capacity > 0 ? 1 : 0),
        host_heads_(piece_),
        host_bodies_(piece_),
        empty_{0, capacity, capacity, heads_.data(), bodies_.data()} {
    if (capacity > 0) upload(buffer_, &empty_, 1, stream);
  }
  SightBufferOnDevice(const SightBufferOnDevice&) = delete;
  SightBufferOnDevice& operator=(const SightBufferOnDevice&) = delete;

  void* data() const { return buffer_.data(); }

  /// Has the stream tell, after what it does now, how much there is: `hand_over` is for when it has done so.
  void ask(const CudaStream& stream) { download(host_buffer_, buffer_, 1, stream); }
  /// Hands the entries over in their order, and empties the buffer for what comes later on this stream.
  void hand_over(SlotVisits& visits, const CudaStream& stream) {
    if (host_buffer_[0].reserved == 0) return;
    const std::size_t count = std::min(host_buffer_[0].reserved, host_buffer_[0].filled);
    for (std::size_t first = 0; first < count;) {
      const std::size_t there = std::min(piece_, count - first);
      copy(host_heads_, heads_, first, there, stream);
      copy(host_bodies_, bodies_, first, there, stream);
      stream.wait();
      // The second half of the last one's crossing may not be there.
      const bool cut = there < count - first && host_heads_[there - 1].what == Sight::crossed;
      const std::size_t whole = cut ? there - 1 : there;
      for (std::size_t i = 0; i < whole; ++i) visits.take(host_heads_[i], &host_bodies_[i]);
      first += whole;
    }
    upload(buffer_, &empty_, 1, stream);
  }

 private:
  template <class T>
  static void copy(const PinnedArray<T>& to, const DeviceArray<T>& from, std::size_t first, std::size_t count,
                   const CudaStream& stream) {
    SCREE_CUDA(cudaMemcpyAsync(to.data(), from.data() + first, count * sizeof(T), cudaMemcpyDeviceToHost, stream));
  }

  std::size_t piece_;
  DeviceArray<SightBuffer> buffer_;
  DeviceArray<SightHead> heads_;
  DeviceArray<SightBody> bodies_;
  PinnedArray<SightBuffer> host_buffer_;
  PinnedArray<SightHead> host_heads_;
  PinnedArray<SightBody> host_bodies_;
  const SightBuffer empty_;
};

}  // namespace scree
