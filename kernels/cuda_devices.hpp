// Which CUDA devices this machine has. Answers also in a build without CUDA.
#pragma once

#include <string>

extern "C" {

/// How many devices can be used; if none, `why` is set to the reason.
int scree_cuda_devices(std::string* why);

/// Sets `name` to what the driver calls the device, as "NVIDIA H200"; empty if there is no such device.
void scree_cuda_device_name(int device, std::string* name);

}  // extern "C"
