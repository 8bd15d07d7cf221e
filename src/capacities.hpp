// How many bodies the systems of several bodies are compiled for. A run takes the smallest capacity that holds its own,
// so that a sample of three bodies is not as large as one of sixty.
#pragma once

namespace scree {

/// Rising.
template <int... n>
struct CapacityList {};

using BallsCapacities = CapacityList<4, 16, 64>;
using CoulombCapacities = CapacityList<2, 4, 16>;
using DiscBoxCapacities = CapacityList<4, 16, 64>;
using DiskCapacities = CapacityList<16, 128, 512, 2001>;  // nodes
using HardDiscsCapacities = CapacityList<4, 16, 64>;

}  // namespace scree
