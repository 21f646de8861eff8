# Finds the DuckDB C library and offers DuckDB::DuckDB. Looks in -DDUCKDB_ROOT, $DUCKDB_ROOT, <source>/.deps/duckdb, the
# system. The version is asked of the library itself, again whenever its path, size or time changed: the header is older on
# purpose, and a cached answer would outlive a replaced file.
#
# The imported library is a link inside the build tree, so that the run path of what we build is relative to it
# (CMAKE_BUILD_RPATH_USE_ORIGIN) and no absolute path enters a binary. DuckDB_LIBRARY is the file itself, for install rules.
find_path(DuckDB_INCLUDE_DIR duckdb.h HINTS "${DUCKDB_ROOT}" "$ENV{DUCKDB_ROOT}" "${CMAKE_SOURCE_DIR}/.deps/duckdb" PATH_SUFFIXES include)
find_library(DuckDB_LIBRARY duckdb HINTS "${DUCKDB_ROOT}" "$ENV{DUCKDB_ROOT}" "${CMAKE_SOURCE_DIR}/.deps/duckdb" PATH_SUFFIXES lib)
mark_as_advanced(DuckDB_INCLUDE_DIR DuckDB_LIBRARY)

if(DuckDB_LIBRARY AND DuckDB_INCLUDE_DIR)
  get_filename_component(DuckDB_FILE "${DuckDB_LIBRARY}" REALPATH)
  get_filename_component(DuckDB_FOLDER "${DuckDB_FILE}" DIRECTORY)
  file(SIZE "${DuckDB_FILE}" DuckDB_SIZE)
  file(TIMESTAMP "${DuckDB_FILE}" DuckDB_TIME)
  set(DuckDB_STAMP_NOW "${DuckDB_FILE}|${DuckDB_SIZE}|${DuckDB_TIME}")
  if(NOT DuckDB_STAMP STREQUAL DuckDB_STAMP_NOW)
    file(WRITE "${CMAKE_BINARY_DIR}/duckdb_version.c"
      "#include <stdio.h>\nconst char *duckdb_library_version(void);\nint main(void) { puts(duckdb_library_version()); return 0; }\n")
    unset(DuckDB_RAN CACHE)  # try_run does not run again while its answer is cached
    unset(DuckDB_COMPILED CACHE)
    try_run(DuckDB_RAN DuckDB_COMPILED "${CMAKE_BINARY_DIR}/duckdb_version" "${CMAKE_BINARY_DIR}/duckdb_version.c"
      LINK_LIBRARIES "${DuckDB_FILE}" "-Wl,-rpath,${DuckDB_FOLDER}"
      COMPILE_OUTPUT_VARIABLE DuckDB_SAID RUN_OUTPUT_VARIABLE DuckDB_ANSWER)
    if(DuckDB_COMPILED AND DuckDB_RAN EQUAL 0)
      string(STRIP "${DuckDB_ANSWER}" DuckDB_ANSWER)
      string(REGEX REPLACE "^v" "" DuckDB_ANSWER "${DuckDB_ANSWER}")
    else()
      message(WARNING "${DuckDB_FILE} cannot be asked for its version: ${DuckDB_SAID} ${DuckDB_ANSWER}")
      set(DuckDB_ANSWER "")
    endif()
    set(DuckDB_VERSION "${DuckDB_ANSWER}" CACHE INTERNAL "version the DuckDB library answered")
    set(DuckDB_STAMP "${DuckDB_STAMP_NOW}" CACHE INTERNAL "library that was asked")
  endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(DuckDB REQUIRED_VARS DuckDB_LIBRARY DuckDB_INCLUDE_DIR VERSION_VAR DuckDB_VERSION
  HANDLE_VERSION_RANGE REASON_FAILURE_MESSAGE "run tools/get-duckdb.sh")

if(DuckDB_FOUND AND NOT TARGET DuckDB::DuckDB)
  get_filename_component(DuckDB_NAME "${DuckDB_FILE}" NAME)
  set(DuckDB_LINK "${CMAKE_BINARY_DIR}/lib/retrofill/${DuckDB_NAME}")
  file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/lib/retrofill")
  file(CREATE_LINK "${DuckDB_FILE}" "${DuckDB_LINK}" SYMBOLIC)
  add_library(DuckDB::DuckDB SHARED IMPORTED)
  set_target_properties(DuckDB::DuckDB PROPERTIES IMPORTED_LOCATION "${DuckDB_LINK}" IMPORTED_SONAME "${DuckDB_NAME}"
    INTERFACE_INCLUDE_DIRECTORIES "${DuckDB_INCLUDE_DIR}")
endif()
