#include "journal.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <new>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <system_error>

#include "host/common/durable.hpp"
#include "host/common/error.hpp"
#include "host/common/text_table.hpp"
#include "map_snapshot.hpp"
#include "records.hpp"
#include "src/status.hpp"

namespace scree {

namespace {

constexpr std::size_t most_of_a_record = 1024;  // samples
/// Of the time, the share that keeping samples may take where maps are written again and again. Samples are written
/// once each, however often.
constexpr double share_of_time = 0.02;
constexpr double between_looks = 0.05;  // s, from one is_due to the next

/// The first line of a file that tells of the system; empty where there is none.
std::string line_of(const char* path) {
  std::string line;
  std::ifstream file(path);
  std::getline(file, line);
  return line;
}

JournalWriter this_process() {
  JournalWriter writer;
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  writer.host = host;
  writer.boot = line_of("/proc/sys/kernel/random/boot_id");
  writer.process = getpid();
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[64];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &utc);
  writer.started = text;
  return writer;
}

/// Whether that process, of this machine, has ended.
bool is_gone(const JournalWriter& writer) {
  const JournalWriter here = this_process();
  return writer.host == here.host && writer.boot == here.boot && kill(static_cast<pid_t>(writer.process), 0) != 0 &&
         errno == ESRCH;
}
}  // namespace

std::uint64_t* JournalPart::steps(std::uint64_t samples, const std::string& beside) {
  if (steps_.size() < samples) {
    if (beside.empty()) {
      steps_.resize(samples);
    } else {
      Numbers<std::uint64_t> more = Numbers<std::uint64_t>::in_file(beside, samples);
      std::ranges::copy(steps_, more.begin());
      steps_ = std::move(more);
    }
  }
  if (kept_.size() < samples) kept_.resize(samples);
  return steps_.data();
}

void JournalPart::has(const SummaryTable& table) {
  if (kept_.size() < table.samples) kept_.resize(table.samples);
  for (std::uint64_t i = 0; i < table.samples; ++i)
    if (table.is_finished(i)) kept_[i] = true;
}

/// Of the samples from `first` to before `end` those that are to be kept; of watched ones all that wait for that.
std::vector<std::uint64_t> JournalPart::ended(const SummaryTable& table, std::uint64_t first, std::uint64_t end) const {
  std::vector<std::uint64_t> rows;
  if (head_.watched) {
    for (const SampleOfMap& sample : waiting_.samples) rows.push_back(table.row(sample.sample));  // sorted, see write
    return rows;
  }
  for (std::uint64_t i = first; i < end; ++i)
    if (!kept_[i] && ended_as(table.status[i]) != static_cast<std::uint32_t>(Status::not_run)) rows.push_back(i);
  return rows;
}

bool JournalPart::is_due() const { return journal_.every_ > 0 && journal_.until_due() <= 0; }
bool JournalPart::is_due_at_end(bool badly) const {
  const double seconds = std::chrono::duration<double>(Journal::Clock::now() - journal_.began_).count();
  return badly || head_.watched || journal_.several_ || seconds >= journal_.every_;
}

void JournalPart::put_record(ByteWriter& to, const SummaryTable& table, double seconds,
                             std::span<const std::uint64_t> rows) const {
  const std::size_t columns = table.description->columns.size();
  const std::size_t begin = journal::begin_record(to, journal::samples_record);
  to.put(number_);
  to.put(static_cast<std::uint32_t>(rows.size()));
  to.put(static_cast<std::uint32_t>(columns));
  to.put(seconds);
  for (const std::uint64_t i : rows) to.put(table.number(i));
  for (const std::uint64_t i : rows) to.put(steps_[i]);
  for (const std::uint64_t i : rows) to.put(static_cast<std::uint8_t>(table.status[i]));
  std::vector<double> column(rows.size());
  for (std::size_t c = 0; c < columns; ++c) {
    for (std::size_t k = 0; k < rows.size(); ++k) column[k] = table.at(static_cast<int>(c), rows[k]);
    to.put_each(std::span<const double>(column));
  }
  if (!head_.watched) return journal::end_record(to, begin);
  const std::uint64_t from_number = table.number(rows.front()), last = table.number(rows.back());
  const auto from = std::ranges::lower_bound(waiting_.samples, from_number, {}, &SampleOfMap::sample);
  for (std::size_t k = 0; k < rows.size(); ++k) to.put(from[static_cast<std::ptrdiff_t>(k)].stems_hit);
  for (std::size_t k = 0; k < rows.size(); ++k) to.put(from[static_cast<std::ptrdiff_t>(k)].stems_broken);
  const auto lines = std::ranges::lower_bound(waiting_.on_lines, from_number, {}, &SampleOnLine::sample),
             end = std::ranges::upper_bound(waiting_.on_lines, last, {}, &SampleOnLine::sample);
  to.put(static_cast<std::uint64_t>(end - lines));
  for (auto on = lines; on != end; ++on) journal::put_crossing(to, *on);
  journal::end_record(to, begin);
}

bool JournalPart::keep(const SummaryTable& table, double seconds, const PassageBatch& watched, const MapStore* maps) {
  has_kept_ = false;
  if (is_spoilt_) return false;
  const auto began = Journal::Clock::now();
  const auto took = [&] { return std::chrono::duration<double>(Journal::Clock::now() - began).count(); };
  journal_.last_ = began;
  std::uint64_t sound = journal_.end_;
  const std::uint64_t written = written_;
  try {
    has_kept_ = write(table, seconds, watched, maps, sound);
  } catch (const std::bad_alloc&) {
    is_spoilt_ = head_.watched;
    journal_.fail("out of memory");
  }
  if (journal_.end_ != sound) journal_.cut(sound);
  if (!is_spoilt_) {
    std::erase_if(waiting_.samples, [&](const SampleOfMap& of) { return kept_[table.row(of.sample)]; });
    std::erase_if(waiting_.on_lines, [&](const SampleOnLine& of) { return kept_[table.row(of.sample)]; });
  }
  while (all_kept_before_ < kept_.size() && kept_[all_kept_before_]) ++all_kept_before_;
  journal_.lead_ = took() + between_looks;
  if (written_ > written) journal_.sync();
  journal_.pause_ = maps != nullptr ? took() / share_of_time : 0;
  return has_kept_;
}

void JournalPart::leave() const { journal_.leave(); }

/// The journal is `sound` up to there, whether this comes to its end or not: each record counts that was written, but
/// with maps those of one time together.
bool JournalPart::write(const SummaryTable& table, double seconds, const PassageBatch& watched, const MapStore* maps,
                        std::uint64_t& sound) {
  waiting_.samples.insert(waiting_.samples.end(), watched.samples.begin(), watched.samples.end());
  waiting_.on_lines.insert(waiting_.on_lines.end(), watched.on_lines.begin(), watched.on_lines.end());
  std::ranges::sort(waiting_.samples, {}, &SampleOfMap::sample);
  std::ranges::stable_sort(waiting_.on_lines, {}, &SampleOnLine::sample);
  steps(table.samples);
  const auto settle = [&](std::span<const std::uint64_t> rows) {
    for (const std::uint64_t i : rows) kept_[i] = true;
    written_ += rows.size();
    journal_.used_ = true;
    sound = journal_.end_;
  };
  ByteWriter record;
  const std::uint64_t piece = head_.watched ? table.samples : 8 * samples_at_once;
  for (std::uint64_t begin = head_.watched ? 0 : all_kept_before_; begin < table.samples; begin += piece) {
    const std::vector<std::uint64_t> rows = ended(table, begin, std::min(table.samples, begin + piece));
    if (rows.empty()) continue;
    if (!is_told_) {
      number_ = journal_.told_parts_;
      if (!journal_.append(journal::record_of(journal::part_record, journal::text_of(head_)))) return false;
      is_told_ = true;
      ++journal_.told_parts_;
      sound = journal_.end_;
    }
    for (std::size_t first = 0; first < rows.size(); first += most_of_a_record) {
      const std::span some = std::span(rows).subspan(first, std::min(most_of_a_record, rows.size() - first));
      record.bytes.clear();
      put_record(record, table, seconds, some);
      if (!journal_.append(record.bytes)) return false;
      if (maps == nullptr) settle(some);
    }
    // All: the samples run on meanwhile, and nobody else releases them.
    table.release(0, table.samples);
    release_steps();
    if (maps == nullptr) continue;
    // From here on the maps are those of all samples that were written.
    if (!journal_.write_maps(number_, *maps)) return false;
    settle(rows);
  }
  return true;
}

Journal::Journal(const std::string& output, double every, bool anew, const Caller& caller, double grace)
    : output_(output),
      path_(output + journal_end),
      caller_(caller),
      grace_(grace),
      every_(every),
      lead_(between_looks) {
  while (!lock()) {
  }
  try {
    found_ = journal::contents_of(file_, path_);
  } catch (const std::exception& error) {
    if (!anew || !is_journal(path_)) {
      close_file();
      throw Error(Exit::input, path_ + ": " + error.what() + (is_journal(path_) ? "; --force begins anew" : ""));
    }
    is_unreadable_ = true;
  }
  remove_part_files(output_);
  for (std::uint32_t part = 0; part < found_.parts.size(); ++part) remove_part_files(journal::maps_path(path_, part));
}

/// False: the file was removed meanwhile by who had it.
bool Journal::lock() {
  file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (file_ < 0)
    throw Error(Exit::usage, output_ + ": its journal " + path_ +
                                 " cannot be made: " + (errno == ELOOP ? "a link is there" : std::strerror(errno)));
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  struct stat there = {};
  if (fstat(file_, &there) != 0 || !S_ISREG(there.st_mode)) {
    close_file();
    throw Error(Exit::usage, output_ + ": its journal " + path_ + " cannot be made: something else is there");
  }
  const int result = fcntl(file_, F_OFD_SETLK, &whole);
  const int reason = result == 0 ? 0 : errno;
  const auto refuse = [&](const std::optional<JournalWriter>& writer) {
    close_file();
    throw Error(Exit::usage, output_ + ": is being written by " +
                                 (writer ? "process " + std::to_string(writer->process) + " on " + writer->host +
                                               " since " + writer->started
                                         : std::string("another process")));
  };
  if (reason == EAGAIN || reason == EACCES) {
    // Who has just taken the lock may not have written yet who it is, behind the name of one that was killed.
    std::optional<JournalWriter> writer = journal::last_writer(file_);
    for (int tries = 0; (!writer || is_gone(*writer)) && tries < 100; ++tries) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      writer = journal::last_writer(file_);
    }
    refuse(writer);
  }
  if (reason != 0) {  // a file system without locks: what the journal says of its last writer has to do
    const JournalWriter here = this_process();
    if (const std::optional<JournalWriter> writer = journal::last_writer(file_);
        writer && writer->host == here.host && writer->boot == here.boot && writer->process != here.process &&
        kill(static_cast<pid_t>(writer->process), 0) == 0)
      refuse(writer);
    caller_.warn(path_ + ": cannot be locked (" + std::strerror(reason) + "); see to it that nobody else writes " +
                 output_);
  }
  if (is_named()) return true;
  close_file();
  return false;
}

/// Whether the file has its name still.
bool Journal::is_named() const {
  struct stat there = {}, named = {};
  return fstat(file_, &there) == 0 && stat(path_.c_str(), &named) == 0 && there.st_ino == named.st_ino &&
         there.st_dev == named.st_dev;
}

/// Those of all parts, also of a journal that was there before, but for files of these names. Whether there were any.
bool Journal::remove_maps(const std::set<std::string>& but) {
  const std::string start = std::filesystem::path(path_).filename().string() + ".maps.";
  std::error_code ignored;
  bool removed = false;
  for (const auto& entry : std::filesystem::directory_iterator(folder_of(path_), ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(start) && !but.contains(name)) removed |= std::filesystem::remove(entry.path(), ignored);
  }
  return removed;
}

void Journal::close_file() {
  if (file_ >= 0) close(file_);
  file_ = -1;
}

Journal::~Journal() {
  if (file_ >= 0 && !used_ && !holds_something()) unlink_file();
  close_file();
}

bool Journal::holds_something() const { return is_unreadable_ || !held_text(found_).empty(); }

void Journal::begin(JournalHead head) {
  remove_maps();
  found_ = {};
  is_unreadable_ = false;
  head.id = id_ = random_digits();
  arms_ = head.arms.size();
  const std::string start =
      journal::header_of(head) + journal::record_of(journal::writer_record, journal::text_of(this_process()));
  if (ftruncate(file_, 0) != 0 || !write_at(file_, start.data(), start.size(), 0)) {
    const std::string why = std::strerror(errno);
    unlink_file();
    throw Error(Exit::usage, output_ + ": its journal " + path_ + " cannot be written: " + why);
  }
  end_ = start.size();
}

void Journal::go_on() {
  id_ = found_.head.id;
  arms_ = found_.head.arms.size();
  used_ = true;
  end_ = found_.sound;
  cut(end_);
  // Maps whose samples are run again are not to be taken for those of the new ones: also of parts that were told beyond
  // what is sound.
  std::set<std::string> used;
  for (std::uint32_t part = 0; part < found_.parts.size(); ++part)
    if (!found_.parts[part].maps.empty())
      used.insert(std::filesystem::path(journal::maps_path(path_, part)).filename().string());
  if (remove_maps(used)) sync();
  append(journal::record_of(journal::writer_record, journal::text_of(this_process())));
  for (const JournalContents::Part& found : found_.parts) {
    JournalPart& part = parts_.emplace_back(*this, found.head);
    part.number_ = told_parts_++;
    part.is_told_ = true;
  }
}

JournalPart* Journal::part(const PartHead& head) {
  if (!(every_ > 0)) return nullptr;
  if (head.has_maps) {
    // Of the last arm, whose name is the longest: refused before the first has run.
    const std::size_t last = std::max(parts_.size(), arms_ - std::min<std::size_t>(arms_, 1));
    const std::string maps = journal::maps_path(path_, static_cast<std::uint32_t>(last));
    if (std::filesystem::path(maps).filename().string().size() > NAME_MAX)
      throw Error(Exit::usage, output_ + ": what its journal has of maps, " + maps + ", cannot be made: " +
                                   std::strerror(ENAMETOOLONG) + "; --checkpoint 0 keeps no journal");
  }
  const auto there = std::ranges::find(parts_, head.key(), [](const JournalPart& p) { return p.head().key(); });
  if (there != parts_.end()) return &*there;
  return &parts_.emplace_back(*this, head);
}

bool Journal::keep_tables(std::span<const Arm> arms) {
  for (JournalPart& part : parts_) {
    const PartHead& head = part.head();
    if (head.watched) continue;
    if (const Arm* arm = arm_of(head, arms)) part.keep(arm->table, arm->wall_s, {}, nullptr);
  }
  return std::ranges::all_of(parts_, &JournalPart::has_kept);
}

std::uint64_t Journal::samples() const {
  if (!is_named()) return 0;
  return std::accumulate(parts_.begin(), parts_.end(), found_.samples(),
                         [](std::uint64_t sum, const JournalPart& part) { return sum + part.written_; });
}

std::uint64_t Journal::kept(std::span<const Arm> arms) const {
  std::uint64_t kept = 0;
  for (const JournalPart& part : parts_)
    if (arm_of(part.head_, arms)) kept += static_cast<std::uint64_t>(std::ranges::count(part.kept_, true));
  return kept;
}

bool Journal::has_more_parts_than(std::span<const Arm> arms) const {
  const auto is_more = [&](const PartHead& head, std::uint64_t samples) {
    return samples > 0 && (head.of_a_table || (!head.finer_of.empty() && arm_of(head, arms) == nullptr));
  };
  return std::ranges::any_of(found_.parts, [&](const auto& part) { return is_more(part.head, part.samples); }) ||
         std::ranges::any_of(parts_, [&](const auto& part) { return is_more(part.head_, part.written_); });
}

/// s
double Journal::until_due() const {
  const double since = std::chrono::duration<double>(Clock::now() - last_).count();
  return std::max(every_ - std::min(lead_, every_ / 2), pause_) - since;
}

bool Journal::append(const std::string& record) {
  if (!write_at(file_, record.data(), record.size(), end_)) {
    fail(std::strerror(errno));
    cut(end_);
    return false;
  }
  end_ += record.size();
  return true;
}

bool Journal::write_maps(std::uint32_t part, const MapStore& maps) {
  if (!is_named()) return false;  // somebody has removed it, and another command may have its maps there
  const std::string path = journal::maps_path(path_, part);
  try {
    sync();  // they go with what is in it
    const std::string temporary = make_part_file(path);
    write_map_snapshot(maps, id_, part, end_, temporary);
    sync_file(temporary);
    if (std::rename(temporary.c_str(), path.c_str()) != 0) throw std::runtime_error(std::strerror(errno));
  } catch (const std::runtime_error& error) {
    remove_part_files(path);
    fail(error.what());
    return false;
  }
  folder_synced_ = false;  // with the next sync
  return true;
}

/// Takes back what was written beyond a place. Where that fails it is written over the next time.
void Journal::cut(std::uint64_t end) {
  end_ = end;
  [[maybe_unused]] const int result = ftruncate(file_, static_cast<off_t>(end));
}

void Journal::fail(const std::string& why) {
  if (!says_of_failure_) warn(path_ + ": cannot be written: " + why + "; the run goes on, and tries again");
  says_of_failure_ = true;
}

void Journal::warn(const std::string& line) {
  if (std::this_thread::get_id() == thread_)
    caller_.warn(line);
  else
    warnings_.push_back(line);
}

void Journal::sync() {
  std::string why;
  if (fdatasync(file_) != 0) why = std::strerror(errno);
  try {
    if (!folder_synced_) sync_folder(folder_of(path_));
    folder_synced_ = true;
  } catch (const std::runtime_error& error) {
    why = error.what();
  }
  if (why.empty() || says_of_sync_) return;
  says_of_sync_ = true;
  warn(path_ + ": would not outlast a power loss: " + why);
}

/// What is there is enough for --resume. A result that is being written is left as a file that the next command
/// removes.
void Journal::leave() {
  if (!is_named()) return;  // somebody has removed it
  const std::uint64_t kept = samples();
  if (std::this_thread::get_id() == thread_) caller_.reporter->end_stage();
  caller_.stop->leave(kept == 0 ? "no sample of " + output_ + " has ended meanwhile"
                                : counted(kept, "sample is", "samples are") + " safe in " + path_ +
                                      ": the same command with --resume goes on from there");
}

void Journal::unlink_file() {
  // Somebody has removed it, and what has its name now is not this.
  if (struct stat other = {}; !is_named() && lstat(path_.c_str(), &other) == 0) return close_file();
  // Maps without a journal would be nobody's.
  remove_maps();
  if (unlink(path_.c_str()) != 0 && errno != ENOENT)
    caller_.warn(path_ + ": cannot be removed: " + std::strerror(errno));
  close_file();
}

void Journal::remove() {
  if (file_ < 0) return;
  unlink_file();
  try {
    sync_folder(folder_of(path_));
  } catch (const std::runtime_error& error) {
    caller_.warn(path_ + ": is removed, but may be there again after a power loss: " + error.what());
  }
}

KeptMeanwhile::KeptMeanwhile(Journal* journal, std::function<bool()> keep) : journal_(journal) {
  if (journal_ == nullptr || !(journal_->every_ > 0)) return;
  // Whether the end has come; where not all can be kept, or the program is not to be left, what is in hand goes on.
  const auto has_ended = [journal, keep] {
    if (!journal->caller_.stop->is_over(journal->grace_)) return false;
    if (keep()) journal->leave();
    return true;
  };
  try {
    thread_ = std::jthread([journal, keep, has_ended, ended = has_ended()](const std::stop_token& stop) mutable {
      std::mutex mutex;
      std::unique_lock lock(mutex);
      std::condition_variable_any nobody;
      while (!stop.stop_requested()) {
        nobody.wait_for(lock, stop, std::chrono::duration<double>(between_looks), [] { return false; });
        if (stop.stop_requested()) break;
        ended = ended || has_ended();
        if (journal->until_due() <= 0 || journal->caller_.stop->take_keep()) keep();
      }
    });
  } catch (const std::system_error&) {
    keep();  // while that is still possible
  }
}

KeptMeanwhile::~KeptMeanwhile() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
  for (const std::string& line : journal_->warnings_) journal_->caller_.warn(line);
  journal_->warnings_.clear();
}

}  // namespace scree
