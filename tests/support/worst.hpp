// The program's own rule for the larger of two errors, under the name that tests use.
#pragma once

#include "host/common/worst.hpp"

namespace scree::test {

using scree::worst;

}  // namespace scree::test
