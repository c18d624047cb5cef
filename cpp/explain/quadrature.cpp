#include "explain/quadrature.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <numbers>

namespace ceiba {

namespace {

Quadrature make_quadrature(int n) {
    Quadrature made;
    const auto n_padded =
        static_cast<std::size_t>((n + kPointsAtOnce - 1) / kPointsAtOnce * kPointsAtOnce);
    made.points.assign(n_padded, 0.5);
    made.rests.assign(n_padded, 0.5);
    made.weights.assign(n_padded, 0.0);
    for (int i = 0; i < n; ++i) {
        // The i-th root of the Legendre polynomial, by Newton's method from a good starting point.
        long double x =
            std::cos(std::numbers::pi_v<long double> * (static_cast<long double>(i) + 0.75L) /
                     (static_cast<long double>(n) + 0.5L));
        long double slope = 1;
        for (int step = 0; step < 100; ++step) {
            long double before = 1, value = x;
            for (int k = 2; k <= n; ++k) {
                const long double next = (static_cast<long double>(2 * k - 1) * x * value -
                                          static_cast<long double>(k - 1) * before) /
                                         static_cast<long double>(k);
                before = value;
                value = next;
            }
            slope = static_cast<long double>(n) * (x * value - before) / (x * x - 1);
            const long double change = value / slope;
            x -= change;
            if (std::fabs(change) < 1e-19L) break;
        }
        const auto at = static_cast<std::size_t>(i);
        made.points[at] = static_cast<double>((1 - x) / 2);
        made.rests[at] = static_cast<double>((1 + x) / 2);
        made.weights[at] = static_cast<double>(1 / ((1 - x * x) * slope * slope));
    }
    return made;
}

} // namespace

const Quadrature& quadrature_for(std::int64_t n_players) {
    constexpr int kUsual = 32; // numbers of players found without a lock
    static const std::vector<Quadrature> usual = [] {
        std::vector<Quadrature> made;
        for (int n = 1; n <= kUsual; ++n) made.push_back(make_quadrature(n));
        return made;
    }();
    static std::mutex guard;
    static std::map<int, Quadrature> others;
    const int n = static_cast<int>(std::max<std::int64_t>(1, (n_players + 1) / 2));
    if (n <= kUsual) return usual[static_cast<std::size_t>(n - 1)];
    const std::lock_guard lock(guard);
    const auto found = others.find(n);
    return found != others.end() ? found->second
                                 : others.emplace(n, make_quadrature(n)).first->second;
}

const double* few_points() {
    static const std::vector<double> points = [] {
        std::vector<double> made;
        for (std::int64_t n = 0; n <= 2 * kPointsAtOnce; ++n) {
            const Quadrature& own = quadrature_for(n);
            for (const auto* numbers : {&own.points, &own.rests, &own.weights})
                made.insert(made.end(), numbers->begin(), numbers->end());
        }
        return made;
    }();
    return points.data();
}

} // namespace ceiba
