# The flags of every WebAssembly module, each with its reason.

set(wasm_compile_options
    -flto                                      # whole-program: 5% smaller
    # What every browser with BigInt has: a double's conversion in one instruction, and memcpy.
    -mnontrapping-fptoint -msign-ext -mbulk-memory
    -DEMSCRIPTEN_HAS_UNBOUND_TYPE_NAMES=0)     # no RTTI names for Embind's error messages

set(wasm_link_options
    -flto
    -fno-exceptions -fno-rtti                  # links the library flavours that match the core
    --bind                                     # Embind
    -sMODULARIZE=1                             # a factory, nothing in the global scope
    -sEXPORT_ES6=1                             # export default
    -sUSE_ES6_IMPORT_META=0                    # import.meta dies in a classic inline script
    -sEXPORT_NAME=createTrainTally
    -sENVIRONMENT=web,worker                   # no node branches in what pages load
    -sDYNAMIC_EXECUTION=0                      # no eval or new Function: a strict CSP refuses them
    -sFILESYSTEM=0                             # no files: the core does no I/O
    -sMALLOC=emmalloc                          # the small allocator: there is one thread
    -sINITIAL_MEMORY=4MB                       # the catalogue and an estimate; grows for a search
    -sALLOW_MEMORY_GROWTH=1
    "SHELL:--closure 1")                       # halves the glue
if(EMSCRIPTEN_VERSION VERSION_GREATER_EQUAL 3.1.27)
  list(APPEND wasm_link_options -sSTACK_SIZE=128KB)  # a JSON document 100k deep needs no more
else()
  list(APPEND wasm_link_options -sTOTAL_STACK=128KB)
endif()

target_compile_options(traintally PRIVATE ${wasm_compile_options})

# What an answer runs thousands of times, in the search for a layout, is compiled for speed; what
# it runs once, for size: a third smaller in all.
file(GLOB run_once CONFIGURE_DEPENDS core/src/*.cpp core/src/json/*.cpp)
list(FILTER run_once EXCLUDE REGEX
     "/(check_layout|collective|flops|memory|parameters|practice|run|search|stage|states|time)\\.cpp$")
set_source_files_properties(${run_once} PROPERTIES COMPILE_OPTIONS "-Oz;-finline-functions")
