# The catalogue's files become one document: catalog.json for the page and the npm package,
# catalog_data.cpp for the command and the tests.
file(GLOB catalog_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/core/catalog/*.json")
add_executable(merge_catalog cmake/merge_catalog.cpp)
target_link_libraries(merge_catalog PRIVATE traintally_settings nlohmann_json)
add_custom_command(
  OUTPUT "${PROJECT_BINARY_DIR}/catalog.json" "${PROJECT_BINARY_DIR}/catalog_data.cpp"
  COMMAND merge_catalog "${PROJECT_BINARY_DIR}/catalog.json"
          "${PROJECT_BINARY_DIR}/catalog_data.cpp" ${catalog_files}
  DEPENDS merge_catalog ${catalog_files}
  COMMENT "Merging core/catalog"
  VERBATIM)
add_library(traintally_catalog STATIC "${PROJECT_BINARY_DIR}/catalog_data.cpp")
target_include_directories(traintally_catalog PUBLIC core/include)
