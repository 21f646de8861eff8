# Finds the DuckDB C library and offers DuckDB::DuckDB. Looks in -DDUCKDB_ROOT, $DUCKDB_ROOT, <source>/.deps/duckdb, the system.
# The version is asked of the library itself, again whenever its path, size or time changed.
find_path(DuckDB_INCLUDE_DIR duckdb.h HINTS "${DUCKDB_ROOT}" "$ENV{DUCKDB_ROOT}" "${CMAKE_SOURCE_DIR}/.deps/duckdb" PATH_SUFFIXES include)
find_library(DuckDB_LIBRARY duckdb HINTS "${DUCKDB_ROOT}" "$ENV{DUCKDB_ROOT}" "${CMAKE_SOURCE_DIR}/.deps/duckdb" PATH_SUFFIXES lib)

if(DuckDB_LIBRARY AND DuckDB_INCLUDE_DIR)
  file(SIZE "${DuckDB_LIBRARY}" DuckDB_SIZE)
  file(TIMESTAMP "${DuckDB_LIBRARY}" DuckDB_TIME)
  set(DuckDB_STAMP_NOW "${DuckDB_LIBRARY}|${DuckDB_SIZE}|${DuckDB_TIME}")
  if(NOT DuckDB_STAMP STREQUAL DuckDB_STAMP_NOW)
    file(WRITE "${CMAKE_BINARY_DIR}/duckdb_version.c"
      "#include <stdio.h>\nconst char *duckdb_library_version(void);\nint main(void) { puts(duckdb_library_version()); return 0; }\n")
    try_run(DuckDB_RAN DuckDB_COMPILED "${CMAKE_BINARY_DIR}/duckdb_version" "${CMAKE_BINARY_DIR}/duckdb_version.c"
      LINK_LIBRARIES "${DuckDB_LIBRARY}" "-Wl,-rpath,${DuckDB_LIBRARY}/.." RUN_OUTPUT_VARIABLE DuckDB_ANSWER)
    get_filename_component(DuckDB_FOLDER "${DuckDB_LIBRARY}" DIRECTORY)
    if(NOT DuckDB_RAN EQUAL 0)
      execute_process(COMMAND "${CMAKE_COMMAND}" -E env "LD_LIBRARY_PATH=${DuckDB_FOLDER}" true)
    endif()
    string(STRIP "${DuckDB_ANSWER}" DuckDB_ANSWER)
    string(REGEX REPLACE "^v" "" DuckDB_ANSWER "${DuckDB_ANSWER}")
    set(DuckDB_VERSION "${DuckDB_ANSWER}" CACHE INTERNAL "version the DuckDB library answered")
    set(DuckDB_STAMP "${DuckDB_STAMP_NOW}" CACHE INTERNAL "library that was asked")
  endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(DuckDB REQUIRED_VARS DuckDB_LIBRARY DuckDB_INCLUDE_DIR VERSION_VAR DuckDB_VERSION
  HANDLE_VERSION_RANGE REASON_FAILURE_MESSAGE "run tools/get-duckdb.sh")

if(DuckDB_FOUND AND NOT TARGET DuckDB::DuckDB)
  add_library(DuckDB::DuckDB SHARED IMPORTED)
  set_target_properties(DuckDB::DuckDB PROPERTIES IMPORTED_LOCATION "${DuckDB_LIBRARY}" IMPORTED_SONAME libduckdb.so
    INTERFACE_INCLUDE_DIRECTORIES "${DuckDB_INCLUDE_DIR}")
endif()
