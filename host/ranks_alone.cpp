// scree by itself: one rank.
#include "host/commands/ranks.hpp"
#include "host/common/available_threads.hpp"

namespace scree {

const char* const program_name = "scree";

namespace {

class Alone : public Ranks {
 public:
  const char* program() const override { return program_name; }
  int number() const override { return 0; }
  int count() const override { return 1; }
  int local_number() const override { return 0; }
  int local_count() const override { return 1; }
  int threads() const override { return available_threads(); }
  std::uint64_t next() override { return next_++; }
  void listen() override {}
  int largest(int mine) override { return mine; }

 private:
  std::uint64_t next_ = 0;
};

}  // namespace

std::unique_ptr<Ranks> ranks_of_this_program(int&, char**&) { return std::make_unique<Alone>(); }

}  // namespace scree
