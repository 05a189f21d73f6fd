#pragma once

#include <array>
#include <cstdint>

namespace traintally {

/// An unsigned integer of 192 bits: room for the product of two 63-bit numbers and 10^18, so that
/// decimal arithmetic rounds once, at its end. Not part of the public interface. Kept out of line:
/// each of these is a loop, called from everywhere.
struct Wide {
  std::array<std::uint32_t, 6> limbs{};  ///< least significant first

  static constexpr Wide of(std::uint64_t value) {
    Wide wide;
    wide.limbs[0] = static_cast<std::uint32_t>(value);
    wide.limbs[1] = static_cast<std::uint32_t>(value >> 32);
    return wide;
  }

  constexpr bool fits_64() const {
    return limbs[2] == 0 && limbs[3] == 0 && limbs[4] == 0 && limbs[5] == 0;
  }
  constexpr std::uint64_t low_64() const {
    return (static_cast<std::uint64_t>(limbs[1]) << 32) | limbs[0];
  }

  /// Needs a product below 2^192.
  [[gnu::noinline]] constexpr void multiply(std::uint64_t factor) {
    Wide sum;
    for (int half = 0; half < 2; ++half) {
      const std::uint64_t digit = half == 0 ? factor & 0xffffffffU : factor >> 32;
      if (digit == 0) continue;
      std::uint64_t carry = 0;
      for (std::size_t i = 0; i + static_cast<std::size_t>(half) < limbs.size(); ++i) {
        const std::size_t at = i + static_cast<std::size_t>(half);
        carry += digit * limbs[i] + sum.limbs[at];
        sum.limbs[at] = static_cast<std::uint32_t>(carry);
        carry >>= 32;
      }
    }
    limbs = sum.limbs;
  }

  [[gnu::noinline]] constexpr void add(std::uint64_t value) {
    std::uint64_t carry = value;
    for (std::uint32_t& limb : limbs) {
      const std::uint64_t sum = static_cast<std::uint64_t>(limb) + (carry & 0xffffffffU);
      limb = static_cast<std::uint32_t>(sum);
      carry = (carry >> 32) + (sum >> 32);
    }
  }

  /// Divides and returns the remainder. Needs 0 < divisor < 2^63.
  [[gnu::noinline]] constexpr std::uint64_t divide(std::uint64_t divisor) {
    if (fits_64()) {
      const std::uint64_t value = low_64();
      *this = of(value / divisor);
      return value % divisor;
    }
    return divisor <= 0xffffffffU ? divide_by_limb(divisor) : divide_by_two_limbs(divisor);
  }

  constexpr bool bit(int index) const {
    return ((limbs[static_cast<std::size_t>(index / 32)] >> (index % 32)) & 1U) != 0;
  }

  [[gnu::noinline]] constexpr void shift_right(int bits) {
    for (; bits >= 32; bits -= 32) {
      for (std::size_t i = 0; i + 1 < limbs.size(); ++i) limbs[i] = limbs[i + 1];
      limbs.back() = 0;
    }
    if (bits == 0) return;
    for (std::size_t i = 0; i < limbs.size(); ++i) {
      const std::uint32_t above = i + 1 < limbs.size() ? limbs[i + 1] : 0;
      limbs[i] = (limbs[i] >> bits) | (above << (32 - bits));
    }
  }

  constexpr std::uint64_t divide_by_limb(std::uint64_t divisor) {
    std::uint64_t remainder = 0;
    for (std::size_t i = limbs.size(); i-- > 0;) {
      const std::uint64_t part = (remainder << 32) | limbs[i];
      limbs[i] = static_cast<std::uint32_t>(part / divisor);
      remainder = part % divisor;
    }
    return remainder;
  }

  /// Knuth, The Art of Computer Programming 2, 4.3.1, algorithm D, for two digits of 32 bits: the
  /// divisor is shifted to the top, so that a digit of the quotient is at most two too large.
  constexpr std::uint64_t divide_by_two_limbs(std::uint64_t divisor) {
    int shift = 0;
    for (; divisor >> 63 == 0; divisor <<= 1) ++shift;  // 1 to 31
    const std::uint64_t high = divisor >> 32;
    const std::uint64_t low = divisor & 0xffffffffU;
    std::uint64_t remainder = static_cast<std::uint64_t>(limbs.back()) >> (32 - shift);
    for (std::size_t i = limbs.size(); i-- > 0;) {
      const std::uint64_t below = i > 0 ? limbs[i - 1] : 0;
      const std::uint64_t next =
          static_cast<std::uint32_t>((limbs[i] << shift) | (below >> (32 - shift)));
      std::uint64_t digit = remainder / high;
      std::uint64_t rest = remainder % high;
      while (rest <= 0xffffffffU && (digit > 0xffffffffU || digit * low > ((rest << 32) | next))) {
        --digit;
        rest += high;
      }
      remainder = ((remainder << 32) | next) - digit * divisor;  // modulo 2^64: below the divisor
      limbs[i] = static_cast<std::uint32_t>(digit);
    }
    return remainder >> shift;
  }

  friend constexpr bool operator==(const Wide&, const Wide&) = default;
  friend constexpr bool operator<(const Wide& a, const Wide& b) {
    for (std::size_t i = a.limbs.size(); i-- > 0;) {
      if (a.limbs[i] != b.limbs[i]) return a.limbs[i] < b.limbs[i];
    }
    return false;
  }
};

}  // namespace traintally
