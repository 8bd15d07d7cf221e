// Threads for the CPU backends, and what this processor can do. Compiled once, for any x86-64, with C names: a source
// for a special instruction set renames the namespace, and must not instantiate the standard library, lest the linker
// keep its copies for everybody.
#pragma once

extern "C" {

/// Calls work(context) on `threads` threads, this one included, and returns when all have returned. The first exception
/// is rethrown here.
void scree_on_threads(int threads, void (*work)(void*), void* context);

/// Whether this processor has the instructions of a scree::Isa.
bool scree_processor_has(int isa);

}  // extern "C"
