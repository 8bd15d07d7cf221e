// A stored result and this program: the Run that the result was made from, and whether it still gives the same bits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "host/common/caller.hpp"
#include "host/config/config.hpp"
#include "result_file.hpp"

namespace scree {

/// The Run that an arm of a result was made from, or the same with another number of samples. Its input files must
/// still have the bytes they had. Throws Error with one line that names `file`.
Run run_again(const std::string& file, const StoredResult& stored, const Arm& arm,
              const std::optional<std::uint64_t>& samples = std::nullopt, const CheckRun& before_drawing = nullptr);

/// The Run of an arm of a result from that of the result, or of an arm at a finer step, whose maps and gates nobody
/// asks for.
Run run_of_arm(const Run& run, const Arm& arm, bool is_finer);

/// Of input files of such a Run that lie neither in the folder of its config nor in SCREE_DATA. The folder counts if
/// that config is there: whoever wrote the file named it.
void warn_of_far_inputs(const std::string& file, const Run& run, const Caller& caller);

/// "status was stopped, is end_time; range was 1, is 2; and more", where `sample` of the stored arm is not what `now`
/// is; empty if all is equal, bit for bit. `description` is that of `now`.
std::string differences(const Arm& stored, std::uint64_t sample, const Description& description,
                        const ReplayResult& now);

}  // namespace scree
