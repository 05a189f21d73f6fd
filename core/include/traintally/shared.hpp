#pragma once

#include <cstddef>
#include <utility>

namespace traintally {

/// A value that copies of its owner share, never changed: the last of them frees it. What
/// std::shared_ptr is for, without the type information that it links in; not for several threads.
template <class T>
class Shared {
 public:
  Shared() = default;
  explicit Shared(T&& value) : held_(new Held{std::move(value), 1}) {}
  Shared(const Shared& other) : held_(other.held_) {
    if (held_ != nullptr) ++held_->owners;
  }
  Shared(Shared&& other) noexcept : held_(std::exchange(other.held_, nullptr)) {}
  Shared& operator=(Shared other) noexcept {
    std::swap(held_, other.held_);
    return *this;
  }
  ~Shared() {
    if (held_ != nullptr && --held_->owners == 0) delete held_;
  }

  /// Null where nothing is held.
  const T* get() const { return held_ == nullptr ? nullptr : &held_->value; }
  const T& operator*() const { return held_->value; }
  const T* operator->() const { return &held_->value; }
  explicit operator bool() const { return held_ != nullptr; }
  friend bool operator==(const Shared& shared, std::nullptr_t) { return shared.held_ == nullptr; }

 private:
  struct Held {
    T value;
    int owners;
  };
  Held* held_ = nullptr;
};

}  // namespace traintally
