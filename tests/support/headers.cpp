// The object of the precompiled headers, see tests/CMakeLists.txt.
