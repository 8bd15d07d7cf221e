// What `list`, `init` and `check` write alike of what a system offers.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "host/model/model.hpp"
#include "host/model/terrain_description.hpp"

namespace scree {

/// A number as TOML writes a float, so that a whole default still shows that fractions are allowed.
std::string toml_number(double value);
/// The first `count` of the values as TOML writes them: a number, or a list of several.
std::string toml_values(const std::vector<double>& values, std::size_t count);
/// The default as TOML writes it.
std::string default_text(const Description& d, const Quantity& q);

/// What values it may have.
std::string allowed(const Quantity& q);

/// Where in the list a family of numbered keys that begins at `first` ends: A0, A1, A2 and so on that differ in nothing
/// else. Without one, first + 1.
std::size_t end_of_family(const std::vector<Quantity>& quantities, std::size_t first);

/// The kinds of terrain that suit the system.
std::vector<TerrainDescription> terrains(const Description& d);

/// The system of this name, or Error(Exit::usage) with the nearest name.
const Model& known_model(const char* command, const std::string& system);

/// Rows of cells below each other. The last cell is wrapped: beside the others where they leave it room, else below. A
/// row of one cell is a line of its own.
void print_rows(std::ostream& out, const std::vector<std::vector<std::string>>& rows);

}  // namespace scree
