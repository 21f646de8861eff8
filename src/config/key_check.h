#pragma once

#include "config/key_table.h"
#include "config/problems.h"
#include "config/yaml_reader.h"

namespace retrofill {

// Compares a file with the key table: unknown keys (C0102, with the nearest known one), values of
// another form (C0103, C0104), keys and values whose capability does not exist in this version
// (C0103), keys that belong into another file (C0105). A key that is not available is named once;
// what stands below it is not looked into. Missing keys are no matter of one file: see
// CheckRequired.
void CheckKeys(const Key& document, const YamlNode& root, Problems& problems);

// Adds C0103 for each key that the table requires and a map lacks, at the key that holds the map.
// For the document after includes were merged.
void CheckRequired(const Key& document, const YamlNode& root, Problems& problems);

// Whether the key, or the value that stands there, is of a capability that does not exist yet.
bool IsAvailable(const Key& key, const YamlNode& value);

}  // namespace retrofill
