// A CUDA runtime whose one device is this CPU: what a test program with it launches is the PTX that nvcc put into it,
// executed by ptx_machine.hpp. Memory is the host's.
#pragma once

#include <map>
#include <string>

#include "ptx_machine.hpp"

namespace scree::test {

/// The kernels of the program by their mangled names, each with its module.
const std::map<std::string, PtxModule*>& ptx_kernels();

}  // namespace scree::test
