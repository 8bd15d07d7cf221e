// scree-mpi: the ranks of an MPI job.
//
// They share one counter, in the memory of rank 0, that MPI itself adds to. Over a network rank 0 has to be within MPI
// now and then for that to happen: its main thread is, while its other threads compute (listen). A call that fails ends
// the job, as MPI has it unless told otherwise.
#define OMPI_SKIP_MPICXX
#define MPICH_SKIP_MPICXX
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <numeric>
#include <string>
#include <vector>

#include "host/commands/ranks.hpp"
#include "host/common/available_threads.hpp"
#include "host/common/cgroup.hpp"
#include "host/common/error.hpp"

namespace scree {

const char* const program_name = "scree-mpi";

namespace {

class OfMpi : public Ranks {
 public:
  OfMpi(int& argc, char**& argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &number_);
    MPI_Comm_size(MPI_COMM_WORLD, &count_);
    MPI_Comm local;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &local);
    MPI_Comm_rank(local, &local_number_);
    MPI_Comm_size(local, &local_count_);
    threads_ = threads_among(local);
    MPI_Comm_free(&local);
    MPI_Win_allocate(number_ == 0 ? sizeof(std::uint64_t) : 0, sizeof(std::uint64_t), MPI_INFO_NULL, MPI_COMM_WORLD,
                     &counter_, &window_);
    MPI_Win_lock_all(0, window_);
    if (number_ == 0) *counter_ = 0;
    MPI_Win_sync(window_);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  ~OfMpi() override {
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
    MPI_Finalize();
  }

  const char* program() const override { return program_name; }
  int number() const override { return number_; }
  int count() const override { return count_; }
  int local_number() const override { return local_number_; }
  int local_count() const override { return local_count_; }
  int threads() const override { return threads_; }

  std::uint64_t next() override {
    const std::uint64_t one = 1;
    std::uint64_t given = 0;
    MPI_Request request;
    MPI_Rget_accumulate(&one, 1, MPI_UINT64_T, &given, 1, MPI_UINT64_T, 0, 0, 1, MPI_UINT64_T, MPI_SUM, window_,
                        &request);
    await(request);
    return given;
  }
  void listen() override {
    int ignored = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &ignored, MPI_STATUS_IGNORE);
  }
  int largest(int mine) override {
    int largest = mine;
    MPI_Request all;
    MPI_Iallreduce(&mine, &largest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &all);
    await(all);
    return largest;
  }

 private:
  /// A launcher may have bound each rank to processors of its own, several to those of a socket, or none to any.
  int threads_among(MPI_Comm local) const {
    const std::vector<int> own = allowed_processors();
    const int size = static_cast<int>(own.size());
    std::vector<int> sizes(static_cast<std::size_t>(local_count_)), begins(sizes.size());
    MPI_Allgather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, local);
    std::exclusive_scan(sizes.begin(), sizes.end(), begins.begin(), 0);
    std::vector<int> all(static_cast<std::size_t>(begins.back() + sizes.back()));
    MPI_Allgatherv(own.data(), size, MPI_INT, all.data(), sizes.data(), begins.data(), MPI_INT, local);
    std::vector<std::vector<int>> allowed;
    for (std::size_t i = 0; i < sizes.size(); ++i)
      allowed.emplace_back(all.begin() + begins[i], all.begin() + begins[i] + sizes[i]);
    return share_of_processors(allowed, static_cast<std::size_t>(local_number_), Cgroups{}.processors());
  }
  /// Without keeping a processor busy: what is waited for may be the last samples of another rank.
  static void await(MPI_Request& request) {
    for (int done = 0; !done;) {
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);
      if (!done) usleep(1000);
    }
  }

  int number_ = 0, count_ = 1, local_number_ = 0, local_count_ = 1, threads_ = 1;
  std::uint64_t* counter_ = nullptr;
  MPI_Win window_ = MPI_WIN_NULL;
};

}  // namespace

std::unique_ptr<Ranks> ranks_of_this_program(int& argc, char**& argv) {
  auto ranks = std::make_unique<OfMpi>(argc, argv);
  if (ranks->count() > 1) return ranks;
  int started = 1;
  for (const char* told : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"})
    if (const char* text = std::getenv(told)) started = std::max(started, std::atoi(text));
  if (started > 1)
    throw Error(Exit::usage, "the launcher started " + std::to_string(started) +
                                 " programs that do not know of each other: it is not of the MPI that scree-mpi was "
                                 "built with; of SLURM `srun --mpi=list` tells what it can start");
  return ranks;
}

}  // namespace scree
