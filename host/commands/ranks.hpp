// The processes that carry out a command together: one, or those of an MPI job.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace scree {

class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual const char* program() const = 0;  // "scree" or "scree-mpi"
  virtual int number() const = 0;           // of this one, from 0
  virtual int count() const = 0;
  // The same among those on its machine.
  virtual int local_number() const = 0;
  virtual int local_count() const = 0;
  /// Its share of the processors of its machine (share_of_processors).
  virtual int threads() const = 0;

  /// A whole number that no rank has been given, the next from 0 on.
  virtual std::uint64_t next() = 0;
  /// To be called every now and then by the thread that made it, while others compute: another rank may be waiting.
  virtual void listen() = 0;
  /// The largest of what all ranks give, when all have given theirs.
  virtual int largest(int mine) = 0;
};

/// Those that this program is one of. Removes from the command line what they take of it. Throws Error(Exit::usage)
/// where a launcher started several that do not know of each other. host/ranks_alone.cpp, and of scree-mpi
/// host/ranks_mpi.cpp.
std::unique_ptr<Ranks> ranks_of_this_program(int& argc, char**& argv);
/// What they call themselves, where there are none yet.
extern const char* const program_name;

}  // namespace scree
