#include "info.hpp"

#include <ostream>
#include <sstream>

#include "host/model/digest.hpp"
#include "host/report/converge.hpp"
#include "host/report/report.hpp"
#include "host/report/verdict.hpp"
#include "host/results/result_file.hpp"
#include "kernels/cpu_threads.hpp"

namespace scree {

void print_info(std::ostream& out, const std::string& path, bool colour) {
  const StoredResult result = read_result(path);
  const Run& run = result.run;
  out << path << ": " << (result.arms.size() == 1 ? "run" : "comparison") << " by scree " << result.program_version
      << " (commit " << result.commit << "), result schema " << result_schema << '\n';
  out << "config XXH3 " << result.config_xxh3
      << (xxh3_hex(run.config_text) == result.config_xxh3 ? "" : ", which is not that of the stored text") << '\n';
  for (const std::string& overlay : run.overlays) out << "changed by " << overlay << '\n';
  for (const InputFile& input : run.inputs) out << "input " << input.path << ", XXH3 " << input.xxh3 << '\n';
  for (const std::string& warning : run.warnings) out << "warning: " << warning << '\n';
  for (const Arm& arm : result.arms)
    if (digest(arm.table) != arm.digest) out << "warning: " << arm.name << ": the samples do not give the digest\n";
  out << '\n';
  const Evaluation evaluation = evaluate_in_words(run, result.arms, scree_available_threads());
  const std::size_t finer = result.arms[0].finer.size();
  if (finer > 1 || (finer > 0 && result.arms.size() == 1))
    print_converge(out, run, result.arms, evaluation, colour);
  else if (result.arms.size() == 1)
    print_run(out, run, result.arms[0], colour);
  else
    print_compare(out, run, result.arms, evaluation, colour);
  out << "\nConfig " << run.config_path << '\n';
  std::istringstream lines(run.config_text);
  for (std::string line; std::getline(lines, line);) out << (line.empty() ? "" : "  ") << line << '\n';
}

}  // namespace scree
