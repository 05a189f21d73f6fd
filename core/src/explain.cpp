#include <traintally/estimate.hpp>
namespace traintally {
std::vector<Derivation> explain(const Report&) { return {}; }
}
