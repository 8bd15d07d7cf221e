#include "print.hpp"

#include <cmath>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "host/common/suggest.hpp"
#include "host/common/text_table.hpp"
#include "host/common/version.hpp"
#include "host/engine/execute.hpp"

namespace scree {
namespace {

double flops_of(const CaseRun& run, const Row& row) {
  const StepOperations& counted = run.operations(row.scheme);
  return static_cast<double>(counted.operations.flops()) / static_cast<double>(counted.steps);
}
double share_of_peak(const CaseRun& run, const Row& row, double peak) {
  return peak > 0 ? flops_of(run, row) / row.busy_per_step() / peak : no_number;
}

/// Share of the issue slots of a GPU's FP64 pipe: a division takes about 9 of them, a square root 10, and comparisons
/// pass through it too. Unlike the share of the flops it can reach 100 %. NaN for a CPU.
double share_of_pipe(const CaseRun& run, const Row& row) {
  if (!row.is_cuda() || !(row.peak > 0)) return no_number;
  const StepOperations& counted = run.operations(row.scheme);
  const Operations& n = counted.operations;
  const double slots = static_cast<double>(n.add + n.mul + n.fma + 9 * n.div + 10 * n.sqrt + n.compare);
  return slots / static_cast<double>(counted.steps) / row.busy_per_step() / (row.peak / 2);
}

std::string percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", 100 * share);
  return std::isnan(share) ? "-" : text;
}

}  // namespace

std::string name_of(const Row& row) {
  return row.backend + (row.isa.empty() ? "" : " ") + row.isa +
         (row.map_cell > 0 ? " with maps of " + short_number(row.map_cell) + " m" : "");
}

void print_machine(const Machine& machine) {
  std::cout << machine.cpu << ", " << short_number(machine.cpu_ghz) << " GHz, " << machine.threads
            << (machine.threads == 1 ? " thread" : " threads") << "; FP64 peak of one core, measured:";
  for (int isa = 0; isa < isa_count; ++isa)
    if (machine.isa_peak[isa] > 0)
      std::cout << (isa > 0 ? ", " : " ") << isa_names[isa] << ' ' << short_number(1e-9 * machine.isa_peak[isa]);
  std::cout << " GFlop/s\n";
  if (machine.has_cuda)
    std::cout << machine.device.name << ", " << short_number(1e-9 * machine.device.clock)
              << " GHz; FP64 peak, measured: " << short_number(1e-12 * machine.cuda_peak) << " TFlop/s\n";
}

namespace {

/// The pack row that the contracted one is to be compared with, and by how much it is slower.
void print_determinism(const Count& count) {
  for (const Row& free : count.rows)
    for (const Row& row : count.rows)
      if (free.backend == "contracted" && row.backend == "pack" && row.isa == free.isa && row.threads == 1 &&
          row.scheme == free.scheme && row.measured && free.measured)
        std::cout << "  " << row.scheme << ' ' << row.isa << ": determinism costs "
                  << percent(row.busy_per_step() / free.busy_per_step() - 1)
                  << " against the same code with contraction by the compiler\n";
}

}  // namespace

void print_count(const CaseRun& run, const Count& count) {
  const bool makes_maps = !run.bench().map_cells.empty();
  std::vector<std::string> header{"scheme",  "backend", "isa",    "threads", "Msteps/s", "ns/step",
                                  "GFlop/s", "of peak", "of isa", "call s",  "kernel s", "digest"};
  if (makes_maps) header.insert(header.end(), {"maps, m", "of none"});
  TextTable table(4, header);
  std::vector<std::string> left_out;
  for (const Row& row : count.rows) {
    if (!row.measured) {
      left_out.push_back(row.scheme + " " + name_of(row));
      continue;
    }
    std::vector<std::string> cells{row.scheme,
                                   row.backend,
                                   row.isa,
                                   row.is_cuda() ? "" : std::to_string(row.threads),
                                   short_number(1e-6 * row.steps_per_s()),
                                   short_number(1e9 * row.busy_per_step()),
                                   short_number(1e-9 * flops_of(run, row) / row.busy_per_step()),
                                   percent(share_of_peak(run, row, row.peak)),
                                   percent(share_of_peak(run, row, row.isa_peak)),
                                   short_number(row.wall_s),
                                   short_number(row.kernel_s),
                                   row.digest.empty() ? "-" : row.digest.substr(0, 8)};
    if (makes_maps)
      cells.insert(cells.end(),
                   {row.map_cell > 0 ? short_number(row.map_cell) : "none", short_number(row.over_no_maps)});
    table.row(cells);
  }
  std::cout << '\n' << count.samples << " samples\n";
  table.print(std::cout);
  for (const Row& row : count.rows)
    if (row.measured && (!row.check->holds() || &row == &count.rows.front() || row.plain != nullptr))
      std::cout << "  " << row.scheme << ' ' << row.backend << ": " << row.check->what << ' '
                << short_number(row.check->value) << (row.check->holds() ? " <= " : ", EXCEEDS ")
                << short_number(row.check->bound) << '\n';
  for (const Row& row : count.rows)
    if (row.is_cuda() && row.measured)
      std::cout << "  " << row.scheme << " cuda: " << percent(share_of_pipe(run, row))
                << " of the FP64 pipe, the call takes " << short_number(row.wall_s / row.kernel_s)
                << " times its kernels; "
                << (std::isnan(row.joules) ? "energy not reported, or the calls too short for its counter"
                                           : short_number(1e6 * row.joules) + " uJ per sample")
                << '\n';
  for (const std::string& scheme : run.run().schemes)
    for (const Row& row : count.rows)
      if (row.measured && row.scheme == scheme && row.contacts.steps > 0) {
        std::cout << "  " << scheme << ": contacts in " << percent(row.contacts.steps / static_cast<double>(row.steps))
                  << " of the steps, " << short_number(row.contacts.sweeps / row.contacts.steps)
                  << " sweeps each; capped " << short_number(1e6 * row.contacts.capped / row.contacts.steps)
                  << ", twofold " << short_number(1e6 * row.contacts.twofold / row.contacts.steps) << " in a million\n";
        break;
      }
  print_determinism(count);
  if (!left_out.empty() && !run.is_interrupted())
    print_wrapped(std::cout, "left out, a call would take longer than --limit or --budget allow: " + joined(left_out),
                  2);
}

namespace {

const Row* fastest(const Count& count, const std::string& scheme, bool cuda) {
  const Row* best = nullptr;
  for (const Row& row : count.rows)
    if (row.measured && row.scheme == scheme && row.is_backend() && row.map_cell == 0 && row.is_cuda() == cuda &&
        (best == nullptr || row.steps_per_s() > best->steps_per_s()))
      best = &row;
  return best;
}

}  // namespace

void print_headline(const CaseRun& run, const std::vector<Count>& counts) {
  for (const std::string& scheme : run.run().schemes) {
    const Row *cpu = nullptr, *gpu = nullptr;
    std::uint64_t overtakes = 0;
    for (const Count& count : counts) {
      const Row *c = fastest(count, scheme, false), *g = fastest(count, scheme, true);
      if (c != nullptr && (cpu == nullptr || c->steps_per_s() > cpu->steps_per_s())) cpu = c;
      if (g != nullptr && (gpu == nullptr || g->steps_per_s() > gpu->steps_per_s())) gpu = g;
      if (overtakes == 0 && c != nullptr && g != nullptr && g->steps_per_s() > c->steps_per_s())
        overtakes = count.samples;
    }
    if (cpu == nullptr) continue;
    std::cout << scheme << ": best CPU row " << cpu->backend << ' ' << cpu->isa << ", " << cpu->threads
              << (cpu->threads == 1 ? " thread, " : " threads, ") << short_number(1e-6 * cpu->steps_per_s())
              << " Msteps/s";
    if (gpu != nullptr)
      std::cout << "; GPU " << short_number(1e-6 * gpu->steps_per_s()) << " Msteps/s, "
                << short_number(gpu->steps_per_s() / cpu->steps_per_s()) << " times that; "
                << (overtakes > 0 ? "of these counts it is faster from " + std::to_string(overtakes) + " samples on"
                                  : "it is not faster at any of these counts");
    std::cout << '\n';
  }
}

void print_case(const CaseRun& run) {
  std::cout << '\n' << run.bench().name << ": " << run.bench().meaning << '\n';
  for (const std::string& scheme : run.run().schemes) {
    const StepOperations& counted = run.operations(scheme);
    const Operations& all = counted.operations;
    const auto per_step = [&](std::uint64_t n) {
      return short_number(static_cast<double>(n) / static_cast<double>(counted.steps));
    };
    std::cout << "  " << scheme << ": " << per_step(all.flops()) << " flop per step: " << per_step(all.add) << " add, "
              << per_step(all.mul) << " mul, " << per_step(all.fma) << " fma (2 flop), " << per_step(all.div)
              << " div, " << per_step(all.sqrt) << " sqrt; " << per_step(all.compare) << " compare, "
              << per_step(all.select) << " select\n";
  }
}

namespace {

nlohmann::ordered_json number(double x) { return std::isnan(x) ? nlohmann::ordered_json() : nlohmann::ordered_json(x); }

}  // namespace

nlohmann::ordered_json record(const Machine& machine, const CaseRun& run, std::uint64_t samples, const Row& row) {
  const StepOperations& counted = run.operations(row.scheme);
  const auto per_step = [&](std::uint64_t n) { return static_cast<double>(n) / static_cast<double>(counted.steps); };
  const Operations& all = counted.operations;
  const auto with_contacts = [&](double x) { return row.contacts.steps > 0 ? x : no_number; };
  return {{"case", run.bench().name},
          {"scheme", row.scheme},
          {"samples", samples},
          {"backend", row.backend},
          {"isa", row.isa},
          {"threads", row.threads},
          {"sample_steps", row.steps},
          {"steps_per_s", row.steps_per_s()},
          {"ns_per_step", 1e9 * row.busy_per_step()},
          {"call_s", row.wall_s},
          {"kernel_s", row.kernel_s},
          {"cpu_s", number(row.is_cuda() ? no_number : row.cpu_s)},
          {"flop_per_step", flops_of(run, row)},
          {"share_of_peak", number(share_of_peak(run, row, row.peak))},
          {"share_of_isa_peak", number(share_of_peak(run, row, row.isa_peak))},
          {"share_of_pipe", number(share_of_pipe(run, row))},
          {"peak_flops", number(row.peak)},
          {"joule_per_sample", number(row.joules)},
          {"check", row.check->what},
          {"check_value", number(row.check->value)},
          {"check_bound", row.check->bound},
          {"digest", row.digest.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(row.digest)},
          {"map_cell", number(row.map_cell > 0 ? row.map_cell : no_number)},
          {"over_no_maps", number(row.over_no_maps)},
          {"maps_digest", row.maps_digest.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(row.maps_digest)},
          {"contact_share", number(with_contacts(row.contacts.steps / static_cast<double>(row.steps)))},
          {"sweeps_per_contact_step", number(with_contacts(row.contacts.sweeps / row.contacts.steps))},
          {"capped_share", number(with_contacts(row.contacts.capped / row.contacts.steps))},
          {"twofold_share", number(with_contacts(row.contacts.twofold / row.contacts.steps))},
          {"add", per_step(all.add)},
          {"mul", per_step(all.mul)},
          {"fma", per_step(all.fma)},
          {"div", per_step(all.div)},
          {"sqrt", per_step(all.sqrt)},
          {"compare", per_step(all.compare)},
          {"select", per_step(all.select)},
          {"precision", "FP64"},
          {"device", row.is_cuda() ? machine.device.name : machine.cpu},
          {"clock_ghz", row.is_cuda() ? 1e-9 * machine.device.clock : machine.cpu_ghz},
          {"version", SCREE_VERSION},
          {"commit", SCREE_COMMIT}};
}

std::string csv_text(const nlohmann::ordered_json& records) {
  std::string text;
  const auto line = [&](const nlohmann::ordered_json& record, bool names) {
    bool first = true;
    for (const auto& [name, value] : record.items()) {
      text += first ? "" : ",";
      first = false;
      if (names)
        text += name;
      else if (value.is_number_float()) {
        char digits[40];
        std::snprintf(digits, sizeof digits, "%.17g", value.get<double>());
        text += digits;
      } else if (value.is_string()) {
        const std::string word = value;
        text += word.find(',') == std::string::npos ? word : '"' + word + '"';
      } else if (!value.is_null())
        text += value.dump();
    }
    text += '\n';
  };
  if (!records.empty()) line(records.front(), true);
  for (const auto& record : records) line(record, false);
  return text;
}

}  // namespace scree
