#pragma once

// Data that several threads share.

#include <mutex>
#include <utility>

namespace retrofill {

// A value reachable only under its lock. Do no I/O, call no callback and take no other lock inside.
//
//   Guarded<std::vector<Event>> pending;
//   pending.With([&](auto& events) { events.push_back(event); });
template <typename T>
class Guarded {
 public:
  Guarded() = default;
  explicit Guarded(T value) : value_(std::move(value)) {}
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

  // Calls the function with the value, alone. Its result must not point into the value.
  template <typename Function>
  decltype(auto) With(Function&& function) {
    const std::lock_guard lock(mutex_);
    return std::forward<Function>(function)(value_);
  }
  template <typename Function>
  decltype(auto) With(Function&& function) const {
    const std::lock_guard lock(mutex_);
    return std::forward<Function>(function)(static_cast<const T&>(value_));
  }

  // A copy of the value.
  T Get() const {
    return With([](const T& value) { return value; });
  }
  void Set(T value) {
    With([&](T& held) { held = std::move(value); });
  }

 private:
  mutable std::mutex mutex_;
  T value_{};
};

}  // namespace retrofill
