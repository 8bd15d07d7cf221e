#include "run.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "host/common/text_input.hpp"
#include "host/common/text_table.hpp"
#include "src/status.hpp"

namespace scree {

std::string steps_text(const Run& run) {
  const std::string step = number_text(run.spec.world.step) + " s",
                    end = ", end " + number_text(run.spec.world.end) + " s";
  if (run.step_scales.empty()) return step + end;
  std::string scales;
  for (const std::string& name : run.step_scales) scales += (scales.empty() ? "" : " and ") + name;
  return "at most " + step + ", adapting by " + scales + end;
}

std::string raster_text(const MapGrid& grid) {
  return number_text(grid.columns) + " x " + number_text(grid.rows) + " cells of " + number_text(grid.cell) +
         " m from [" + number_text(grid.west) + ", " + number_text(grid.south) + "] (m)";
}

std::vector<double> terrain_heights(const Run& run, const MapGrid& grid) {
  const World& world = run.spec.world;
  std::vector<double> heights;
  heights.reserve(static_cast<std::size_t>(grid.columns * grid.rows));
  for (double row = 0; row < grid.rows; ++row)
    for (double column = 0; column < grid.columns; ++column) {
      const Underground ground =
          under(world.terrain, run.spec.tables.data(), grid.edge_x(column + 0.5), grid.edge_y(row + 0.5));
      heights.push_back(ground.data ? ground.height : std::numeric_limits<double>::quiet_NaN());
    }
  return heights;
}

std::vector<std::string> shapes_text(const Run& run, std::size_t most) {
  const std::vector<ShapeFacts>& shapes = run.shapes;
  std::vector<std::string> lines;
  if (shapes.size() > most) {
    const auto range = [&](double ShapeFacts::*fact, const char* unit) {
      const auto [least, greatest] = std::minmax_element(
          shapes.begin(), shapes.end(), [&](const ShapeFacts& a, const ShapeFacts& b) { return a.*fact < b.*fact; });
      return short_number((*least).*fact) + " to " + short_number((*greatest).*fact) + " " + unit;
    };
    lines.push_back(std::to_string(shapes.size()) + " shapes: " + range(&ShapeFacts::mass, "kg, ") +
                    range(&ShapeFacts::volume, "m^3, ") + range(&ShapeFacts::size, "m across"));
    return lines;
  }
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const ShapeFacts& s = shapes[i];
    const std::string variants = s.variants > 1 ? std::to_string(s.variants) + " variants, in the mean " : "";
    lines.push_back(run.shape_names[i] + ": " + variants + short_number(s.mass) + " kg, " + short_number(s.volume) +
                    " m^3, " + short_number(s.size) + " m across, moments " + short_number(s.moments[0]) + ", " +
                    short_number(s.moments[1]) + ", " + short_number(s.moments[2]) + " kg m^2, " +
                    std::to_string(s.corners) + " corners");
  }
  return lines;
}

SampleRange samples_of(const Shard& shard, std::uint64_t samples) {
  const std::uint64_t all = samples - shard.from, each = all / shard.of, rest = all % shard.of;
  const auto begin_of = [&](std::uint64_t i) { return shard.from + each * i + rest * i / shard.of; };
  return {begin_of(shard.number), begin_of(shard.number + 1)};
}

std::string shard_text(const Run& run, const SummaryTable& table) {
  if (!run.shard || table.samples == 0) return "";
  return " (shard " + std::to_string(run.shard->number) + "/" + std::to_string(run.shard->of) + ": " +
         std::to_string(table.first) + " to " + std::to_string(table.number(table.samples - 1)) + " of " +
         std::to_string(run.samples_of_run) + ")";
}

bool SummaryTable::counts_further(std::uint64_t row) const {
  const auto beyond = std::ranges::upper_bound(counted, row, {}, &SampleRange::first);
  return beyond != counted.begin() && row < std::prev(beyond)->end;
}

std::uint64_t SummaryTable::counted_samples() const {
  if (counted.empty()) return samples;
  std::uint64_t count = 0;
  for (const SampleRange& range : counted) count += range.end - range.first;
  return count;
}

void SummaryTable::count_finished() {
  std::vector<SampleRange> ranges = std::exchange(counted, {});
  ranges.push_back({0, samples});
  std::ranges::sort(ranges, {}, &SampleRange::first);
  for (SampleRange range : ranges) {
    const bool goes_on = !counted.empty() && range.first <= counted.back().end;
    if (goes_on) range.first = counted.back().end;
    const std::uint64_t end = std::min(range.end, samples);
    std::uint64_t finished = range.first;
    while (finished < end && is_finished(finished)) ++finished;
    if (goes_on)
      counted.back().end = finished;
    else if (finished > range.first || counted.empty())
      counted.push_back({range.first, finished});
  }
}

void SummaryTable::count_part(const SummaryTable& part) {
  const std::uint64_t before = row(part.first);
  for (const SampleRange& range : part.counted) counted.push_back({before + range.first, before + range.end});
}

void SummaryTable::release(std::uint64_t first, std::uint64_t count) const {
  if (!values.is_in_file()) return;
  for (std::uint64_t c = 0; c * samples < values.size(); ++c) values.release(c * samples + first, count);
}

SummaryTable grown(const SummaryTable& table, const Description& description, std::uint64_t samples,
                   const std::string& beside) {
  SummaryTable grown;
  grown.description = &description;
  grown.samples = samples;
  grown.first = table.first;
  grown.replicates = table.replicates;
  const std::size_t columns = description.columns.size();
  if (beside.empty())
    grown.values.assign(columns * samples, std::numeric_limits<double>::quiet_NaN());
  else
    grown.values = Numbers<double>::in_file(beside, columns * samples);
  grown.counted = table.counted;
  grown.status = table.status;
  grown.status.resize(samples, static_cast<std::uint32_t>(Status::not_run));
  const std::uint64_t common = std::min(samples, table.samples);
  for (std::uint64_t first = 0; first < common; first += samples_at_once) {
    const std::uint64_t count = std::min(samples_at_once, common - first);
    for (std::size_t c = 0; c < columns; ++c)
      std::ranges::copy(table.column(static_cast<int>(c)).subspan(first, count),
                        grown.values.begin() + c * samples + first);
    table.release(first, count);
    grown.release(first, count);
  }
  return grown;
}

}  // namespace scree
