# Finds the toolchain file of whichever Emscripten is on the path, Debian's or an emsdk.
find_program(EM_CONFIG em-config REQUIRED)
execute_process(
  COMMAND "${EM_CONFIG}" EMSCRIPTEN_ROOT
  OUTPUT_VARIABLE emscripten_root
  OUTPUT_STRIP_TRAILING_WHITESPACE
  COMMAND_ERROR_IS_FATAL ANY)
include("${emscripten_root}/cmake/Modules/Platform/Emscripten.cmake")
