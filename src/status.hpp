// Why a sample ended. Every sample has exactly one of these, and every report counts them.
#pragma once

#include <cstdint>

namespace scree {

enum class Status : std::uint32_t {
  not_run = 0,        // the run was interrupted before this sample was finished
  stopped = 1,        // came to rest
  end_time = 2,       // still moving at the end of the run: run-out is censored
  left_terrain = 3,   // the centre of mass left the rectangle of cell centres, or a bowl or dome
  no_data = 4,        // the centre of mass is over a cell with a NODATA corner
  lifted_off = 5,     // the model cannot go on without contact
  not_converged = 6,  // no consistent solution for a contact or a pair, or too many hits or events in a step
  diverged = 7,       // a state is none, nodes crossed, or an implicit step has no solution that can be found
  not_placed = 8,     // no start without overlap was found
  caught = 9,         // held by a barrier
};

inline constexpr int status_count = 10;
inline constexpr const char* status_names[status_count] = {"not_run",    "stopped",    "end_time",      "left_terrain",
                                                           "no_data",    "lifted_off", "not_converged", "diverged",
                                                           "not_placed", "caught"};
inline constexpr const char* status_meanings[status_count] = {
    "the run was interrupted before this sample was finished",
    "came to rest",
    "still moving at the end of the run",
    "the centre of mass left the rectangle of cell centres, or a bowl or dome",
    "the centre of mass is over a cell with a NODATA corner",
    "lost contact in a model that cannot go on without it",
    "a contact had neither a sticking nor a sliding solution, a pair no consistent normal forces, or a step more hits "
    "of hard bodies, or events, than are followed",
    "a state is not finite or an orientation no unit quaternion, nodes of a disk crossed or came too close for its "
    "steps, or an implicit step did not "
    "converge",
    "no start without overlap was found",
    "held by a barrier"};

}  // namespace scree
