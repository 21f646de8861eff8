#pragma once

// Bounded queues between threads.

#include <absl/time/time.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

#include "base/check.h"

namespace retrofill {

// A queue that holds `limit` items at most: pushing waits while it is full, popping while it is
// empty. Closing lets the items inside out and then ends every wait. Any number of threads.
template <typename T>
class Queue {
 public:
  explicit Queue(size_t limit) : limit_(limit) { RF_CHECK(limit > 0); }
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  // Adds an item, waiting for room. False, and the item is lost, if closed or asked to stop.
  bool Push(T item, std::stop_token stop = {}) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait(lock, stop, [&] { return is_closed_ || items_.size() < limit_; })) {
      return false;
    }
    if (is_closed_) return false;
    items_.push_back(std::move(item));
    changed_.notify_all();
    return true;
  }

  // Adds an item if there is room right now.
  bool TryPush(T item) {
    const std::lock_guard lock(mutex_);
    if (is_closed_ || items_.size() >= limit_) return false;
    items_.push_back(std::move(item));
    changed_.notify_all();
    return true;
  }

  // Takes the oldest item, waiting for one. Nothing if closed and empty, or asked to stop.
  std::optional<T> Pop(std::stop_token stop = {}) {
    std::unique_lock lock(mutex_);
    const bool is_ready = changed_.wait(lock, stop, [&] { return is_closed_ || !items_.empty(); });
    return is_ready ? Take() : std::nullopt;
  }

  // Takes the oldest item, waiting no longer than the limit. Nothing if none came.
  std::optional<T> PopWithin(absl::Duration limit, std::stop_token stop = {}) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, stop, absl::ToChronoMicroseconds(limit),
                      [&] { return is_closed_ || !items_.empty(); });
    return Take();
  }

  // Takes all that is there, without waiting.
  std::deque<T> PopAll() {
    const std::lock_guard lock(mutex_);
    changed_.notify_all();
    return std::exchange(items_, {});
  }

  // Refuses further items and ends the waits.
  void Close() {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    changed_.notify_all();
  }

  bool is_closed() const {
    const std::lock_guard lock(mutex_);
    return is_closed_;
  }
  size_t size() const {
    const std::lock_guard lock(mutex_);
    return items_.size();
  }

 private:
  std::optional<T> Take() {
    if (items_.empty()) return std::nullopt;
    std::optional<T> item(std::move(items_.front()));
    items_.pop_front();
    changed_.notify_all();
    return item;
  }

  const size_t limit_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<T> items_;
  bool is_closed_ = false;
};

}  // namespace retrofill
