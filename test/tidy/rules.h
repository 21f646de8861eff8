#pragma once

// The rules of the tree that a program can check. Each returns what breaks it.

#include "tidy/tree.h"

namespace retrofill {

// Which module may include which: cmake/modules.txt; driver headers only in their own module, in
// cli/wiring.cc and in tests.
Violations CheckModules(const Tree& tree);
// Slow or leaking third-party headers stand only where they are listed.
Violations CheckHeavyHeaders(const Tree& tree);
// Every header is included by somebody, and starts with #pragma once.
Violations CheckHeaders(const Tree& tree);

// Time, randomness, environment and processes are reached through base; some things are not used at
// all; model and engine keep no unordered containers.
Violations CheckCalls(const Tree& tree);
// Files up to 500 lines (tests 1000), functions up to 70.
Violations CheckLengths(const Tree& tree);
// Names that say nothing; namespaces and macros that are not ours.
Violations CheckNames(const Tree& tree);

// Every diagnostic id has its page in docs/errors and a test that names it.
Violations CheckDiagnostics(const Tree& tree);
// Every case of test/cases/cases.jsonl is named by a test, by its README.md or by pending.txt, and
// pending.txt names none that a test does.
Violations CheckCases(const Tree& tree);
// No path of somebody's machine and no address of a package registry.
Violations CheckMachinePaths(const Tree& tree);

// All of them.
Violations CheckTree(const Tree& tree);

}  // namespace retrofill
