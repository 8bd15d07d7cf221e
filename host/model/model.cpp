#include "model.hpp"

#include "host/common/error.hpp"

namespace scree {

ReplayResult Model::replay(const void* ensemble, int scheme, std::uint64_t sample, std::uint64_t every,
                           const TrackRow& row) const {
  const int isa = best_isa(kernels.replay);
  if (isa < 0) throw Error(Exit::device, "replay: this program was built for other processors than this one");
  ReplayResult result;
  result.summary.resize(description.columns.size());
  const auto call = [](const void* rows, const double* values, std::size_t count) {
    (*static_cast<const TrackRow*>(rows))({values, count});
  };
  ReplayJob job{ensemble, scheme, sample, every, call, &row, result.summary.data(), 0};
  kernels.replay[isa](job);
  result.status = job.status;
  return result;
}

}  // namespace scree
