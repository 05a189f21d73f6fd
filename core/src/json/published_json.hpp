#pragma once

#include <traintally/published.hpp>

#include "figure_writer.hpp"

namespace traintally {

/// Writes the article's answer as "published" of the open report.
void write_published(FigureWriter& writer, const PublishedAnswer& answer);

}  // namespace traintally
