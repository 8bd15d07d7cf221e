// The steppers for smooth equations of motion, in the order in which `scree list` shows them.
#pragma once

#include "../integrate.hpp"
#include "euler.hpp"
#include "euler_cromer.hpp"
#include "implicit_midpoint.hpp"
#include "rk2_heun.hpp"
#include "rk2_midpoint.hpp"
#include "rk3.hpp"
#include "rk4.hpp"

namespace scree {

using SmoothSchemes = SchemeList<Rk4, Euler, EulerCromer, Rk2Midpoint, Rk2Heun, Rk3, ImplicitMidpoint>;

}  // namespace scree
