#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace traintally {

/// Sorts a short list by insertion; equals keep their order. A fraction of std::sort's code, which
/// every kind of element would bring into the module anew.
template <class Element, class Before>
void sort_few(std::vector<Element>& list, Before before) {
  for (std::size_t i = 1; i < list.size(); ++i) {
    if (!before(list[i], list[i - 1])) continue;
    Element moved = std::move(list[i]);
    std::size_t place = i;
    do {
      list[place] = std::move(list[place - 1]);
      --place;
    } while (place > 0 && before(moved, list[place - 1]));
    list[place] = std::move(moved);
  }
}

template <class Number>
void sort_few(std::vector<Number>& list) {
  sort_few(list, [](Number a, Number b) { return a < b; });
}

}  // namespace traintally
