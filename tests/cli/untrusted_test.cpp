// Results that a stranger made or changed: what they may not ask the program to read, run, hold or print. Each is a
// real result with one thing put into it by HDF5 itself, which drops the seal; a stranger could put on a new one.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include "host/common/available_memory.hpp"
#include "host/common/shell.hpp"
#include "host/common/text_input.hpp"
#include "host/journal/records.hpp"
#include "host/results/hdf5.hpp"
#include "host/results/result_file.hpp"
#include "program.hpp"

namespace scree {
namespace {

using h5::Handle;
using h5::own;
using testing::HasSubstr;
using testing::Not;

const std::string escape = "\x1b[2J\x9b\xc2\x9b";  // clears a terminal; Latin-1 and UTF-8 for the same start

class Untrusted : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    write("shots.toml", small_shots);
    ASSERT_EQ(scree({"run", "shots.toml", "-o", "r.h5", "--quiet"}).code, 0);
  }
  void change(const std::function<void(hid_t file)>& with) const {
    const h5::Session session;
    Handle file = h5::open_to_add(path("r.h5"));
    with(file);
    file.close();
  }
  /// All commands that read a result refuse it in one line, and leave nothing behind.
  void expect_refused(const std::string& why) const {
    expect_refusal({"info", "r.h5"}, 3, "r.h5: " + why);
    expect_refusal({"replay", "r.h5", "--sample", "0"}, 3, "r.h5: " + why);
  }
  /// An array of so many doubles, with these properties; `written` of them have a value.
  static void add_array(hid_t file, const std::string& name, hsize_t size, hid_t creation, hsize_t written = 0) {
    const Handle space = own(H5Screate_simple(1, &size, nullptr), H5Sclose);
    const Handle array =
        own(H5Dcreate2(file, name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose);
    if (written == 0) return;
    const hsize_t first = 0;
    const Handle some = own(H5Screate_simple(1, &written, nullptr), H5Sclose);
    h5::require(H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, nullptr, &written, nullptr));
    const std::vector<double> values(written);
    h5::require(H5Dwrite(array, H5T_NATIVE_DOUBLE, some, space, H5P_DEFAULT, values.data()));
  }
  static Handle creation(hsize_t chunk = 0) {
    Handle list = own(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    if (chunk > 0) h5::require(H5Pset_chunk(list, 1, &chunk));
    return list;
  }
  static void replace(hid_t file, const std::string& name, const std::string& value) {
    h5::require(H5Adelete(file, name.c_str()));
    h5::write_attribute(file, name, value);
  }
  static void replace(hid_t file, const std::string& name, const std::vector<std::string>& values) {
    if (h5::has_attribute(file, name)) h5::require(H5Adelete(file, name.c_str()));
    h5::write_attribute(file, name, values);
  }
};

TEST_F(Untrusted, FilesAreNotLedToOthersByArrays) {
  write("secret", std::string(1600, 'x'));
  change([](hid_t file) {
    const Handle list = creation();
    h5::require(H5Pset_external(list, "secret", 0, 1600));
    h5::require(H5Ldelete(file, "samples/range", H5P_DEFAULT));
    add_array(file, "samples/range", 200, list);
  });
  expect_refused("array /samples/range is stored in another file, which is not read");
}

TEST_F(Untrusted, FilesAreNotLedToOthersByLinks) {
  change([](hid_t file) {
    h5::require(H5Lcreate_external("/etc/other.h5", "/x", file, "samples/more", H5P_DEFAULT, H5P_DEFAULT));
  });
  expect_refused("the link /samples/more leads to another file, which is not followed");
}

TEST_F(Untrusted, FilesAreNotLedToOthersByVirtualArrays) {
  {
    const hsize_t size = 200;
    const Handle file = own(H5Fopen(path("r.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose), list = creation(),
                 space = own(H5Screate_simple(1, &size, nullptr), H5Sclose);
    h5::require(H5Pset_virtual(list, space, "other.h5", "/x", space));
    add_array(file, "samples/more", size, list);
  }
  expect_refused("array /samples/more is made of other arrays (a virtual one), which are not read");
}

TEST_F(Untrusted, FilesAreNotLedOutOfTheirFolderByTheNamesOfTheirParts) {
  for (const std::string part : {"/etc/other.h5", "../other.h5", "r.h5.shards/../../other.h5"}) {
    change([&](hid_t file) {
      replace(file, "linked_parts", std::vector<std::string>{part});
      replace(file, "linked_digests", std::vector<std::string>{"0"});
    });
    expect_refused("attribute linked_parts leads out of the folder of the result: " + part);
  }
}

TEST_F(Untrusted, FilesAreNotLedToOtherArraysOfTheirParts) {
  {
    const hsize_t size = 200;
    const Handle file = own(H5Fopen(path("r.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose), list = creation(),
                 space = own(H5Screate_simple(1, &size, nullptr), H5Sclose);
    replace(file, "linked_parts", std::vector<std::string>{"r.h5.shards/a.h5"});
    replace(file, "linked_digests", std::vector<std::string>{"0"});
    h5::require(H5Pset_virtual(list, space, "r.h5.shards/a.h5", "/secret", space));
    add_array(file, "samples/more", size, list);
  }
  expect_refused("array /samples/more is made of an array of another path");
}

TEST_F(Untrusted, FilesHaveNoShardsWithoutEnd) {
  ASSERT_EQ(scree({"run", "shots.toml", "-o", "m.h5", "--shard", "0/2", "--quiet"}).code, 0);
  std::filesystem::rename(path("m.h5.shards/00000-of-00002.h5"), path("r.h5"));
  change([](hid_t file) {
    h5::require(H5Adelete(file, "shard_count"));
    h5::write_attribute(file, "shard_count", std::uint64_t{1} << 60);
  });
  expect_refused("attributes of the shard do not go together");
}

TEST_F(Untrusted, FilesNameTheirOwnColumns) {
  for (const char* name : {"headline", "why_columns"}) {
    change([&](hid_t file) { replace(file, name, std::vector<std::string>{"range", "nosuch"}); });
    expect_refused("attribute " + std::string(name) + " names no column: nosuch");
    change([&](hid_t file) { replace(file, name, std::vector<std::string>{"range"}); });
  }
  change([](hid_t file) { replace(file, "deposition_columns", std::vector<std::string>{"range", "nosuch", ""}); });
  expect_refused("attribute deposition_columns names no column: nosuch");
  change([](hid_t file) { replace(file, "deposition_columns", std::vector<std::string>{"range", "", ""}); });
  expect_refused("attribute deposition_columns has one of x and y alone");
}

TEST_F(Untrusted, FilesCountWhatTheyHave) {
  const auto number = [](const char* name, std::uint64_t value) {
    return [=](hid_t file) {
      h5::require(H5Adelete(file, name));
      h5::write_attribute(file, name, value);
    };
  };
  change(number("threads", std::uint64_t{1} << 31));
  expect_refused("attribute threads = 2147483648, must be <= 1048576");
  change(number("threads", 2));
  change(number("sample_steps", ~std::uint64_t{0}));
  expect_refused("attribute sample_steps = 18446744073709551615, must be <= 72057594037927936");
  change(number("sample_steps", 1000));
  const auto count = [&](const std::vector<std::int64_t>& first, const std::vector<std::int64_t>& end) {
    change([&](hid_t file) {
      if (h5::has_link(file, "counted")) h5::require(H5Ldelete(file, "counted", H5P_DEFAULT));
      const Handle group = h5::create_group(file, "counted");
      const hsize_t firsts[] = {first.size()}, ends[] = {end.size()};
      h5::write_array(group, "first", firsts, first);
      h5::write_array(group, "end", ends, end);
    });
  };
  const std::string none = "group counted has ranges that are none of its samples";
  for (const auto& [first, end] : std::vector<std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>>>{
           {{0, 50}, {60, 100}}, {{50}, {40}}, {{0, 150}, {100, 201}}}) {
    count(first, end);
    expect_refused(none);
  }
  count(std::vector<std::int64_t>(201, 0), std::vector<std::int64_t>(201, 0));
  expect_refused("group counted has more ranges than samples");
  count({0, 100}, {50, 120, 200});
  expect_refused("group counted has beginnings of other ranges than ends");
  count({0, 100}, {50, 200});
  EXPECT_EQ(scree({"info", "r.h5"}).code, 0) << read("stderr");
}

TEST_F(Untrusted, NothingIsReadThroughVirtualArrays) {
  ASSERT_EQ(scree({"run", "shots.toml", "-o", "m.h5", "--shards", "2", "--quiet"}).code, 0);
  ASSERT_EQ(scree({"merge", "m.h5.shards", "-o", "r.h5", "--link", "--force", "--quiet"}).code, 0);
  {
    const hsize_t size = 200;
    const Handle file = own(H5Fopen(path("r.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose), list = creation(),
                 space = own(H5Screate_simple(1, &size, nullptr), H5Sclose);
    h5::require(H5Adelete(file, "linked_parts"));
    h5::write_attribute(file, "linked_parts", std::vector<std::string>{});
  }
  expect_refused("array /inputs/projectile.drag is made of other arrays (a virtual one), which are not read");
}

TEST_F(Untrusted, PartsAreReadAsTheyWereAlone) {
  ASSERT_EQ(scree({"run", "shots.toml", "-o", "m.h5", "--shards", "2", "--quiet"}).code, 0);
  ASSERT_EQ(scree({"merge", "m.h5.shards", "-o", "r.h5", "--link", "--force", "--quiet"}).code, 0);
  const std::string part = "m.h5.shards/00001-of-00002.h5";
  const Handle list = creation(), space = own(H5Screate(H5S_SCALAR), H5Sclose);
  {
    const h5::Session session;
    Handle file = h5::open_to_add(path(part));
    h5::require(H5Lcreate_external("/etc/other.h5", "/x", file, "samples/more", H5P_DEFAULT, H5P_DEFAULT));
    file.close();
  }
  expect_refused("the link /samples/more leads to another file, which is not followed");
}

TEST_F(Untrusted, FilesLoadNoCodeThatUnpacksThem) {
  change([](hid_t file) {
    const Handle list = creation(200);
    h5::require(H5Pset_filter(list, 32000, H5Z_FLAG_OPTIONAL, 0, nullptr));
    add_array(file, "samples/more", 200, list);
  });
  expect_refused("array /samples/more is packed by the filter 32000, must be by shuffle, deflate or fletcher32");
}

TEST_F(Untrusted, FilesAreNotPackedTwice) {
  change([](hid_t file) {
    const Handle list = creation(200);
    for (int i = 0; i < 2; ++i) h5::require(H5Pset_deflate(list, 9));
    add_array(file, "samples/more", 200, list, 200);
  });
  expect_refused("array /samples/more is packed twice");
}

/// Four billion samples in some hundred kilobytes.
TEST_F(Untrusted, FilesHoldNoMoreThanCanBePackedIntoThem) {
  const std::uint64_t many = 4'000'000'000;
  change([&](hid_t file) {
    const Handle list = creation(1 << 16);
    h5::require(H5Pset_deflate(list, 4));
    h5::require(H5Ldelete(file, "samples/sample", H5P_DEFAULT));
    add_array(file, "samples/sample", many, list, 1 << 16);
    h5::require(H5Adelete(file, "samples"));
    h5::write_attribute(file, "samples", many);
  });
  const Outcome outcome = scree({"info", "r.h5"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, testing::MatchesRegex("scree: r.h5: array /samples/sample has 32.00 GB in [0-9.]+ B, which "
                                                 "no packing gives\n"));
}

/// Found by libFuzzer: its margins were read for the columns of arms that it does not have.
TEST_F(Untrusted, ComparisonsHaveArms) {
  change([](hid_t file) {
    h5::create_group(file, "compare");
    h5::require(H5Adelete(file, "arms"));
  });
  expect_refused("attribute arms is missing");
}

TEST_F(Untrusted, FilesHaveNoArraysThatWereNeverWritten) {
  change([](hid_t file) {
    h5::require(H5Ldelete(file, "samples/sample", H5P_DEFAULT));
    add_array(file, "samples/sample", 200, creation());
  });
  expect_refused("an array has a size and no values");
}

TEST_F(Untrusted, FilesHaveNoChunksThatTakeMuchMemoryEach) {
  change([](hid_t file) { add_array(file, "samples/more", 1 << 25, creation(1 << 24)); });
  expect_refused("array /samples/more has chunks of 134.2 MB, must be at most 67.11 MB");
}

/// Hard links make a thousand columns of one.
TEST_F(Untrusted, FilesTakeNoMoreMemoryThanThereIs) {
  const double available = memory_available();
  if (available > 60e9) GTEST_SKIP() << "a file that takes all of this memory takes too long to write";
  const auto samples = static_cast<hsize_t>(1.2 * available / (8 * 1024));
  change([&](hid_t file) {
    const Handle list = creation(1 << 16);
    h5::require(H5Pset_deflate(list, 1));
    const Handle group = h5::open_group(file, "samples");
    h5::require(H5Ldelete(group, "sample", H5P_DEFAULT));
    add_array(file, "samples/sample", samples, list, samples);
    const Handle array = h5::open_array(group, "sample");
    for (const char* name : {"units", "description"}) h5::write_attribute(array, name, std::string("m"));
    h5::write_attribute(array, "samples_counted", std::string("all"));
    std::vector<std::string> names;
    for (int c = 0; c < 1024; ++c) {
      names.push_back("c" + std::to_string(c));
      h5::require(H5Lcreate_hard(group, "sample", group, names.back().c_str(), H5P_DEFAULT, H5P_DEFAULT));
    }
    replace(file, "columns", names);
    for (const char* name : {"headline", "why_columns"}) replace(file, name, std::vector<std::string>{"c0"});
    h5::require(H5Adelete(file, "samples"));
    h5::write_attribute(file, "samples", static_cast<std::uint64_t>(samples));
  });
  EXPECT_LT(std::filesystem::file_size(path("r.h5")), 2'000'000u);
  const Outcome outcome = scree({"info", "r.h5"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, testing::MatchesRegex("scree: r.h5: its samples take [0-9.]+ GB of memory, [0-9.]+ GB are "
                                                 "available\n"));
}

TEST_F(Untrusted, AttributesAreShort) {
  const auto refused = [&](const std::string& why, const std::function<void(hid_t)>& with) {
    std::filesystem::copy_file(path("r.h5"), path("whole.h5"));
    change(with);
    expect_refused(why);
    std::filesystem::rename(path("whole.h5"), path("r.h5"));
  };
  refused("attribute more of / has more than one dimension", [](hid_t file) {
    const hsize_t dims[] = {2, 2};
    const double values[4] = {};
    const Handle space = own(H5Screate_simple(2, dims, nullptr), H5Sclose);
    const Handle attribute = own(H5Acreate2(file, "more", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    h5::require(H5Awrite(attribute, H5T_NATIVE_DOUBLE, values));
  });
  refused("attribute more of /samples takes more than 16.78 MB", [](hid_t file) {
    h5::write_attribute(h5::open_group(file, "samples"), "more", std::span<const double>(std::vector<double>(3 << 20)));
  });
  refused("attribute warnings of / has more than 65536 texts",
          [](hid_t file) { replace(file, "warnings", std::vector<std::string>(65537, "w")); });
  refused("has 1025 columns, must be at most 1024",
          [](hid_t file) { replace(file, "columns", std::vector<std::string>(1025, "range")); });
  refused("has 257 arms, must be at most 256",
          [](hid_t file) { replace(file, "arms", std::vector<std::string>(257, "euler")); });
  refused("has 4097 groups, must be at most 4096",
          [](hid_t file) { replace(file, "group_names", std::vector<std::string>(4097, "rock")); });
}

TEST_F(Untrusted, GroupsDoNotHoldThemselves) {
  change([](hid_t file) { h5::require(H5Lcreate_hard(file, "/", file, "finer", H5P_DEFAULT, H5P_DEFAULT)); });
  const Outcome outcome = scree({"info", "r.h5"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, testing::MatchesRegex("scree: r.h5: (/finer){10}/[a-z]+ is nested more than 10 deep\n"));
}

TEST_F(Untrusted, TextsDoNotReachTheTerminalAsTheyAre) {
  change([](hid_t file) {
    for (const char* name : {"study", "title", "preset", "preset_note", "terrain", "terrain_note", "device", "commit",
                             "program_version", "config_xxh3", "config_path"})
      replace(file, name, "a" + escape);
    replace(file, "config_text", h5::read_raw_text(file, "config_text") + "# b" + escape + "\n");
    for (const char* name : {"warnings", "config_overlays", "input_files", "input_xxh3"})
      replace(file, name, std::vector<std::string>{"--set:c" + escape});
    const Handle column = h5::open_array(h5::open_group(file, "samples"), "range");
    for (const char* name : {"units", "description"}) replace(column, name, "d" + escape);
  });
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"info", "r.h5"}, {"info", "r.h5", "--all"}, {"info", "r.h5", "--json"}}) {
    const Outcome outcome = scree(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("x1b[2J")) << words.back();
    std::string line;
    for (std::istringstream lines(outcome.out); std::getline(lines, line);) EXPECT_EQ(printable(line), line);
  }
  const Outcome outcome = scree({"replay", "r.h5", "--sample", "0"});
  EXPECT_EQ(outcome.code, 3) << "its config is none";
  EXPECT_EQ(printable(outcome.err), outcome.err.substr(0, outcome.err.size() - 1) + "\\x0a");
}

/// The journal of a run of a million shots that was killed.
class UntrustedJournal : public Untrusted {
 protected:
  void SetUp() override {
    Untrusted::SetUp();
    for (double seconds = 0.1; !std::filesystem::exists(path("j.h5.journal")) && seconds < 60; seconds *= 2) {
      const pid_t pid = start({"run", "shots.toml", "--samples", "1e6", "--set", "step=0.001", "--quiet",
                               "--checkpoint", "0.02", "-o", "j.h5"},
                              "stdout");
      await_working(pid, seconds);
      kill(pid, SIGKILL);
      finish(pid);
      if (scree({"info", "j.h5.journal"}).code != 0) std::filesystem::remove(path("j.h5.journal"));
    }
    bytes_ = read("j.h5.journal");
    head_ = journal::file_head + number<std::uint32_t>(12);
  }
  template <class T>
  T number(std::size_t at) const {
    T value = 0;
    std::memcpy(&value, bytes_.data() + at, sizeof value);
    return value;
  }
  template <class T>
  static std::string text(T value) {
    return std::string(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void write_with_head(const std::string& head) {
    const std::string changed = bytes_.substr(0, 12) + text(static_cast<std::uint32_t>(head.size())) + head;
    write("j.h5.journal", changed + text(journal::checksum(changed)) + bytes_.substr(head_ + 8));
  }
  std::string bytes_;
  std::size_t head_ = 0;  // its bytes before the checksum
};

TEST_F(UntrustedJournal, TextsDoNotReachTheTerminal) {
  nlohmann::json head = nlohmann::json::parse(bytes_.substr(journal::file_head, head_ - journal::file_head));
  ASSERT_TRUE(head.contains("commit")) << head;
  head["commit"] = "a\x1b[2J\xc2\x9b";
  write_with_head(head.dump());
  const Outcome outcome = scree({"info", "j.h5.journal"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("(commit a\\x1b[2J\\xc2\\x9b)"));
}

/// Found by libFuzzer: memory was taken for all samples before it.
TEST_F(UntrustedJournal, HasNoSampleBeyondThoseOfItsRun) {
  std::size_t at = head_ + 8;
  while (number<std::uint32_t>(at + 4) != journal::samples_record) at += 16 + number<std::uint64_t>(at + 8) + 8;
  const std::size_t length = number<std::uint64_t>(at + 8), count = number<std::uint32_t>(at + 16 + 4),
                    last = at + 16 + 20 + 8 * (count - 1);
  for (const std::uint64_t far : {std::uint64_t{1'000'000}, std::uint64_t{1} << 61}) {
    std::string changed = bytes_;
    changed.replace(last, 8, text(far));
    changed.replace(at + 16 + length, 8, text(journal::checksum(changed.substr(at, 16 + length))));
    write("j.h5.journal", changed);
    const Outcome outcome = scree({"info", "j.h5.journal"});
    EXPECT_EQ(outcome.code, 3);
    EXPECT_EQ(outcome.err,
              "scree: j.h5.journal: has sample " + std::to_string(far) + ", which the run does not have\n");
  }
}

TEST_F(Untrusted, TextsAreNoPartOfPagesAndCommands) {
  const std::string evil = "<script>alert(1)</script>";
  std::string study = small_study;
  study.replace(study.find("EOTA221"), 7, evil);
  write("study.toml", "title = '" + evil + "'\n" + study);
  ASSERT_EQ(scree({"run", "study.toml", "-o", "r.h5", "--force", "--quiet"}).code, 0);
  const Outcome outcome = scree({"report", "r.h5", "-o", "r.html", "--quiet"});
  if (outcome.err.find("without") != std::string::npos) GTEST_SKIP() << outcome.err;
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::string page = read("r.html");
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert(1)"));
  EXPECT_EQ(page.find(evil), std::string::npos);
  EXPECT_EQ(shell_word("implicit; rm -r x"), "'implicit; rm -r x'");
  ASSERT_EQ(scree({"compare", "shots.toml", "--schemes", "euler,rk4", "-o", "r.h5", "--force", "--quiet"}).code, 0);
  change([](hid_t file) { replace(h5::open_group(file, "arms/rk4"), "scheme", "rk4; rm -r x"); });
  EXPECT_THAT(scree({"info", "r.h5", "--all"}).out, HasSubstr(" --scheme 'rk4; rm -r x' --sample "));
  EXPECT_EQ(shell_word("it's \x1b[2J"), "$'it\\'s \\x1b[2J'");
}

TEST_F(Untrusted, ResultsSayWhichFilesOutsideTheyOpen) {
  std::filesystem::create_directories(path("study"));
  std::filesystem::create_directories(path("data"));
  const std::string grid = "ncols 3\nnrows 3\nxllcorner -15\nyllcorner -15\ncellsize 10\n0 0 0\n0 0 0\n0 0 0\n";
  write("dem.asc", grid);
  write("study/dem.asc", grid);
  std::string study = small_study;
  const std::string ramp = "kind = \"ramp\"\nslope = 40.0\nheight = 5.0";
  study.replace(study.find(ramp), ramp.size(), "kind = \"grid\"\nfile = \"FILE\"");
  const auto replayed = [&](const std::string& file) {
    std::string text = study;
    write("study/study.toml", text.replace(text.find("FILE"), 4, file));
    EXPECT_EQ(scree({"run", "study/study.toml", "--quiet", "-o", "r.h5", "--force"}).code, 0);
    return scree({"replay", "r.h5", "--sample", "3", "-o", "p.csv", "--force"});
  };
  const std::string line = "warning: r.h5: reads files outside of the folders of its config and of SCREE_DATA: ";
  EXPECT_THAT(replayed("dem.asc").err, Not(HasSubstr("outside")));
  EXPECT_THAT(replayed("../dem.asc").err,
              HasSubstr(line + std::filesystem::canonical(path("dem.asc")).string() + "\n"));
  EXPECT_THAT(scree({"run", "--extend", "r.h5", "--samples", "22", "--quiet"}).err, HasSubstr(line));
  data_ = folder_;
  EXPECT_THAT(scree({"replay", "r.h5", "--sample", "3", "-o", "p.csv", "--force"}).err, Not(HasSubstr("outside")));
  data_.clear();
  // A stranger's file names a folder of its choice: without that config there it counts for nothing.
  replayed("dem.asc");
  write("study/study.toml", "# another\n");
  EXPECT_THAT(scree({"replay", "r.h5", "--sample", "3", "-o", "p.csv", "--force"}).err, HasSubstr(line));
}

/// `export` calls files by them.
TEST_F(Untrusted, LayersHaveNames) {
  write("study.toml", small_study + "[maps]\ncell = 5.0\nextent = [-50, -50, 100, 50]\n");
  ASSERT_EQ(scree({"run", "study.toml", "-o", "r.h5", "--force", "--quiet"}).code, 0);
  change([](hid_t file) {
    const Handle maps = h5::open_group(file, "maps");
    h5::require(H5Lmove(maps, "passages", maps, ".profile", H5P_DEFAULT, H5P_DEFAULT));
  });
  expect_refused("has a map with a layer \".profile\", which is no name");
}

/// Almost all NaN, which packs best of all.
TEST_F(Untrusted, ButARunThatWasInterruptedAtOnceIsRead) {
  write("study.toml", small_study);
  const pid_t pid = start({"run", "study.toml", "--samples", "100000", "--grace", "0", "--checkpoint", "0", "-o",
                           "r.h5", "--force", "--quiet"},
                          "stdout");
  await_listening(pid, SIGTERM);
  kill(pid, SIGTERM);
  EXPECT_EQ(finish(pid).code, 130);
  const Outcome outcome = scree({"info", "r.h5"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("not_run"));
}

}  // namespace
}  // namespace scree
