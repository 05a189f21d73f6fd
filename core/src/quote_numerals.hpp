#pragma once

#include <string>
#include <string_view>

namespace traintally {

/// The text with its Chinese numerals as digits, where they count or measure something: "一万二" is
/// "12000", "八五折" is "8.5折", "两卡" is "2卡", "百分之二十" is "20%". A numeral that is part of
/// a word ("统一", "第一", "一天", "三大优势") stays as it is. Takes and gives half-width text.
std::string with_digits(std::string_view text);

}  // namespace traintally
