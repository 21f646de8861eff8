// The rules of the tree that a program can check, on the tree itself; and each rule on a small tree
// that breaks it.

#include <gtest/gtest.h>

#include "base/text.h"
#include "tidy/rules.h"

namespace retrofill {
namespace {

constexpr const char* kModuleLines =
    "# module: may include\nbase:\nbase_db: base\njournal: base\nwarehouse: base base_db\n"
    "engine: base journal warehouse\ncli: base journal warehouse engine\n";

Tree With(std::initializer_list<std::pair<const std::string, std::string>> files) {
  Tree tree(files);
  tree.emplace("cmake/modules.txt", kModuleLines);
  return tree;
}

std::string Text(const Violations& found) {
  std::string text;
  for (const Violation& violation : found) {
    text += fmt::format("{}:{}: {}: {}\n", violation.path, violation.line, violation.rule,
                        violation.detail);
  }
  return text;
}

// The one thing that is wrong, as `rule path:line`.
std::string Only(const Violations& found) {
  if (found.size() != 1) return fmt::format("{} violations\n{}", found.size(), Text(found));
  return fmt::format("{} {}:{}", found[0].rule, found[0].path, found[0].line);
}

// The test runs in the root of the tree.
TEST(Tree, BreaksNoRule) {
  const Tree tree = ReadTree(".");
  ASSERT_TRUE(tree.contains("cmake/modules.txt")) << "not run in the root of the tree";
  const Violations found = CheckTree(tree);
  EXPECT_TRUE(found.empty()) << Text(found);
}

TEST(Modules, IncludeOfAModuleThatIsNotAllowedIsFound) {
  EXPECT_EQ(Only(CheckModules(With({{"src/journal/a.cc", "\n#include \"engine/step.h\"\n"}}))),
            "module src/journal/a.cc:2");
  EXPECT_EQ(Only(CheckModules(With({{"src/warehouse/a.h", "#include \"journal/journal.h\"\n"}}))),
            "module src/warehouse/a.h:1");
  EXPECT_EQ(Only(CheckModules(With({{"src/base/a.cc", "#include \"base/db/duckdb.h\"\n"}}))),
            "module src/base/a.cc:1");
  EXPECT_EQ(Only(CheckModules(With({{"src/new/a.cc", "#include \"base/text.h\"\n"}}))),
            "module src/new/a.cc:1");
}

TEST(Modules, AllowedIncludesAndThoseInCommentsAreFine) {
  EXPECT_EQ(Text(CheckModules(With({{"src/engine/a.cc",
                                     "#include <vector>\n#include \"engine/step.h\"\n"
                                     "#include \"journal/journal.h\"\n"
                                     "// #include \"cli/wiring.h\"\n"}}))),
            "");
}

TEST(Modules, DriverHeaderOutsideItsModuleIsFound) {
  const std::string include = "#include \"warehouse/duckdb_warehouse.h\"\n";
  EXPECT_EQ(Only(CheckModules(With({{"src/engine/a.cc", include}}))), "driver src/engine/a.cc:1");
  EXPECT_EQ(Text(CheckModules(With({{"src/cli/wiring.cc", include},
                                    {"src/engine/a_test.cc", include},
                                    {"src/warehouse/b.cc", include}}))),
            "");
}

TEST(HeavyHeaders, OutsideTheirFilesAreFound) {
  for (const auto& [path, header] :
       std::vector<std::pair<std::string, std::string>>{{"src/engine/a.h", "nlohmann/json.hpp"},
                                                        {"src/config/a.cc", "yaml-cpp/yaml.h"},
                                                        {"src/cli/a.cc", "CLI/CLI.hpp"},
                                                        {"src/warehouse/a.cc", "duckdb.h"},
                                                        {"src/journal/a.cc", "sqlite3.h"},
                                                        {"src/engine/a.cc", "openssl/evp.h"},
                                                        {"src/engine/a.cc", "gtest/gtest.h"},
                                                        {"src/engine/a.h", "fmt/chrono.h"},
                                                        {"src/base/a.cc", "iostream"},
                                                        {"src/base/a.cc", "regex"}}) {
    EXPECT_EQ(Only(CheckHeavyHeaders({{path, "#include <" + header + ">\n"}})),
              "heavy header " + path + ":1");
  }
}

TEST(HeavyHeaders, InTheirFilesAreFine) {
  EXPECT_EQ(Text(CheckHeavyHeaders({{"src/base/parse_json.cc", "#include <nlohmann/json.hpp>\n"},
                                    {"src/base/db/duckdb.cc", "#include <duckdb.h>\n"},
                                    {"src/base/a.h", "#include <nlohmann/json_fwd.hpp>\n"},
                                    {"src/base/a_test.cc", "#include <gtest/gtest.h>\n"}})),
            "");
}

TEST(Headers, HeaderThatNobodyIncludesIsFound) {
  EXPECT_EQ(Only(CheckHeaders({{"src/base/a.h", "#pragma once\n"},
                               {"src/base/b.h", "#pragma once\n"},
                               {"src/base/a.cc", "#include \"base/a.h\"\n"}})),
            "unused header src/base/b.h:1");
}

TEST(Headers, MissingPragmaOnceIsFound) {
  EXPECT_EQ(Only(CheckHeaders({{"src/base/a.h", "// Says something.\n"},
                               {"src/base/a.cc", "#include \"base/a.h\"\n"}})),
            "pragma once src/base/a.h:1");
}

TEST(Calls, BannedOnesAreFoundOutsideBase) {
  for (const char* call : {"std::chrono::system_clock::now()", "std::chrono::steady_clock::now()",
                           "absl::Now()", "getenv(\"HOME\")", "std::random_device()"}) {
    const std::string source = fmt::format("\nint a = {};\n", call);
    EXPECT_EQ(Only(CheckCalls({{"src/engine/a.cc", source}})), "banned src/engine/a.cc:2") << call;
    EXPECT_EQ(Text(CheckCalls({{"src/base/a.cc", source}})), "") << call;
  }
}

TEST(Calls, SomeAreFoundEverywhere) {
  for (const char* call : {"std::this_thread::sleep_for(x)", "sleep_until(x)", "rand()", "fork()",
                           "system(x)", "popen(x, y)", "try {} catch (...) {}", "std::regex x",
                           "using namespace std", "std::cout << x", "absl::SleepFor(x)"}) {
    EXPECT_EQ(Only(CheckCalls({{"src/base/a.cc", std::string(call) + ";\n"}})),
              "banned src/base/a.cc:1")
        << call;
  }
}

TEST(Calls, LongerNamesTextsAndCommentsAreFine) {
  EXPECT_EQ(Text(CheckCalls({{"src/engine/a.cc",
                              "int brand(int x);  // rand() is banned\n"
                              "const char* s = \"fork( system(\";\n"
                              "const char* r = R\"(getenv)\";\n/* popen */ int file_system(int);\n"
                              "int n = 1'000'000; int random_device_count;\n"}})),
            "");
}

TEST(Calls, UnorderedContainersInModelAndEngineAreFound) {
  const std::string source = "std::unordered_map<int, int> a;\n";
  EXPECT_EQ(Only(CheckCalls({{"src/model/a.h", source}})), "order src/model/a.h:1");
  EXPECT_EQ(Only(CheckCalls({{"src/engine/a.cc", source}})), "order src/engine/a.cc:1");
  EXPECT_EQ(Text(CheckCalls({{"src/cli/a.cc", source}})), "");
}

std::string LinesOf(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "  a();\n";
  return text;
}

TEST(Lengths, LongFileIsFound) {
  EXPECT_EQ(Only(CheckLengths({{"src/base/a.cc", LinesOf(501)}})), "file length src/base/a.cc:501");
  EXPECT_EQ(Text(CheckLengths({{"src/base/a.cc", LinesOf(500)}})), "");
  EXPECT_EQ(Text(CheckLengths({{"src/base/a_test.cc", LinesOf(1000)}})), "");
  EXPECT_EQ(Only(CheckLengths({{"src/base/a_test.cc", LinesOf(1001)}})),
            "file length src/base/a_test.cc:1001");
}

TEST(Lengths, LongFunctionIsFound) {
  const std::string fits = "int F(int a,\n      int b) {\n" + LinesOf(67) + "}\n";
  EXPECT_EQ(Text(CheckLengths({{"src/base/a.cc", fits}})), "");
  const std::string long_one = "\nint F(int a,\n      int b) {\n" + LinesOf(68) + "}\n";
  EXPECT_EQ(Only(CheckLengths({{"src/base/a.cc", long_one}})), "function length src/base/a.cc:2");
  const std::string in_class = "class A {\n  int F() {\n" + LinesOf(70) + "  }\n};\n";
  EXPECT_EQ(Only(CheckLengths({{"src/base/a.h", in_class}})), "function length src/base/a.h:2");
}

TEST(Lengths, NamespaceAndClassMayBeLong) {
  EXPECT_EQ(Text(CheckLengths({{"src/base/a.cc", "namespace a {\n" + LinesOf(90) + "}\n"},
                               {"src/base/b.cc", "class A {\n" + LinesOf(90) + "};\n"}})),
            "");
}

TEST(Names, ThoseThatSayNothingAreFound) {
  EXPECT_EQ(Only(CheckNames({{"src/base/text_utils.cc", ""}})), "name src/base/text_utils.cc:1");
  EXPECT_EQ(Only(CheckNames({{"src/common/a.cc", ""}})), "name src/common/a.cc:1");
  EXPECT_EQ(Only(CheckNames({{"src/base/a.cc", "\nclass StageManager {};\n"}})),
            "name src/base/a.cc:2");
  EXPECT_EQ(Text(CheckNames({{"src/base/commonality.cc", "struct Stage {};\n"}})), "");
}

TEST(Names, ForeignNamespacesAndMacrosAreFound) {
  EXPECT_EQ(Only(CheckNames({{"src/base/a.cc", "namespace detail {}\n"}})),
            "namespace src/base/a.cc:1");
  EXPECT_EQ(Only(CheckNames({{"src/base/a.cc", "#define MAX 3\n"}})), "macro src/base/a.cc:1");
  EXPECT_EQ(Text(CheckNames({{"src/base/a.cc",
                              "namespace retrofill {\nnamespace {}\n"
                              "namespace fs = std::filesystem;\n}\n#define RF_X 1\n"}})),
            "");
}

TEST(Diagnostics, IdWithoutPageOrTestIsFound) {
  const std::string source = "\nreturn Fail(code, \"C0999\", \"x\");\n";
  EXPECT_EQ(Only(CheckDiagnostics({{"src/cli/a.cc", source}, {"docs/errors/C0999.md", "x"}})),
            "diagnostic test src/cli/a.cc:2");
  EXPECT_EQ(
      Only(CheckDiagnostics({{"src/cli/a.cc", source}, {"test/scenario/a.test", "error C0999\n"}})),
      "diagnostic page src/cli/a.cc:2");
  EXPECT_EQ(Text(CheckDiagnostics({{"src/cli/a.cc", source},
                                   {"src/cli/a_test.cc", "\"C0999\""},
                                   {"docs/errors/C0999.md", "x"}})),
            "");
}

TEST(Cases, IdThatIsNamedNowhereIsFound) {
  const std::string cases = "{\"id\": \"K01\"}\n{\"id\": \"T09\"}\n";
  EXPECT_EQ(Only(CheckCases(
                {{"test/cases/cases.jsonl", cases}, {"test/scenario/a.test", "# cases: K01\n"}})),
            "case test/cases/cases.jsonl:2");
  EXPECT_EQ(Text(CheckCases({{"test/cases/cases.jsonl", cases},
                             {"test/cases/README.md", "| K01 | why |\n"},
                             {"test/cases/pending.txt", "T09\n"}})),
            "");
}

TEST(Cases, PendingIdThatATestNamesIsFound) {
  EXPECT_EQ(Only(CheckCases({{"test/cases/cases.jsonl", "{\"id\": \"K01\"}\n"},
                             {"test/cases/pending.txt", "K01\n"},
                             {"src/model/a_test.cc", "// K01\n"}})),
            "case test/cases/pending.txt:1");
}

TEST(Cases, WeekOfAYearIsNoCase) {
  EXPECT_EQ(Only(CheckCases({{"test/cases/cases.jsonl", "{\"id\": \"W01\"}\n"},
                             {"src/model/a_test.cc", "2024-W01\n"}})),
            "case test/cases/cases.jsonl:1");
}

TEST(MachinePaths, AreFoundInAnyFile) {
  for (const std::string& path :
       {std::string("/") + "home/x", std::string("/") + "tmp/x", std::string("/") + "root/x"}) {
    EXPECT_EQ(Only(CheckMachinePaths({{"docs/a.md", "see\n" + path + "\n"}})),
              "machine path docs/a.md:2");
  }
  EXPECT_EQ(Only(CheckMachinePaths({{"tools/a.sh",
                                     "curl py"
                                     "pi.org\n"}})),
            "machine path tools/a.sh:1");
  EXPECT_EQ(Text(CheckMachinePaths({{"a.md", ".retrofill/tmp/ and $HOME/tmp/x and /dev/null"}})),
            "");
}

}  // namespace
}  // namespace retrofill
