// One of several kinds of terrain, with a tag that says which. A run has one terrain, the same for all its samples, so
// the branches on the tag are the same for them too: one where a point or a body's vertices are looked at.
//
// What a kind has to have is said in half_space.hpp and height_field.hpp for rough ones, which bodies collide with, and
// in surface_point.hpp for smooth ones, which bodies slide on. Each describes itself too, to the table of
// host/model/terrain_description.hpp, with
//   struct Keys;                              what its table in a config gives, doubles only
//   static void describe(Table& table);       their names, units, ranges, defaults and meaning
//   static Kind of(const Keys& keys);
// and a rough kind that bodies can slide on too has
//   auto smooth() const;                      the smooth kind of the same heights
#pragma once

#include <algorithm>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

#include "half_space.hpp"
#include "height_field.hpp"
#include "surface_point.hpp"

namespace scree {

namespace detail {

template <class... Kinds>
union Alternatives {};
template <class First, class... Rest>
union Alternatives<First, Rest...> {
  First first;
  Alternatives<Rest...> rest;

  template <class Kind>
  ALWAYS_INLINE constexpr auto& get() const {
    if constexpr (std::is_same_v<Kind, First>)
      return first;
    else
      return rest.template get<Kind>();
  }
};

template <class Kind, class... Kinds>
constexpr int place_of() {
  int place = 0;
  const bool found = ((std::is_same_v<Kind, Kinds> || (++place, false)) || ...);
  return found ? place : -1;
}

}  // namespace detail

template <class... Kinds>
struct OneOf {
  int kind;
  union Value {
    double numbers[std::max({sizeof(Kinds)...}) / sizeof(double)];  // first, so that {} makes all of them zero
    detail::Alternatives<Kinds...> kinds;
  } value;

  static constexpr int kinds = sizeof...(Kinds);
  template <int i>
  using At = std::tuple_element_t<static_cast<std::size_t>(i), std::tuple<Kinds...>>;
  template <class Kind>
  static constexpr int place = detail::place_of<Kind, Kinds...>();

  template <class Kind>
  static OneOf of(const Kind& kind) {
    OneOf terrain{};
    terrain.kind = place<Kind>;
    new (static_cast<void*>(&terrain.value)) Kind{kind};
    return terrain;
  }
  template <class Kind>
  ALWAYS_INLINE bool is() const {
    return kind == place<Kind>;
  }
  template <class Kind>
  ALWAYS_INLINE const Kind& get() const {
    return value.kinds.template get<Kind>();
  }
};

template <class Kind>
struct IsRough : std::bool_constant<HalfSpaces<Kind> || HeightField<Kind>> {};
template <class Kind>
struct IsSmooth : std::bool_constant<SmoothSurface<Kind>> {};
template <class Kind>
struct IsCheapSurface : std::bool_constant<CheapSurface<Kind>> {};
template <class Kind>
struct IsCostlySurface : std::bool_constant<SmoothSurface<Kind> && !CheapSurface<Kind>> {};

/// Calls f with the terrain as the kind that it is, one of those that `Wanted` holds for; the first of these is taken
/// if it is none of the others.
template <template <class> class Wanted, int i, class Terrain, class F>
ALWAYS_INLINE decltype(auto) with_kind_up_to(const Terrain& terrain, F&& f) {
  using Kind = typename Terrain::template At<i>;
  constexpr bool is_first = []<int... k>(std::integer_sequence<int, k...>) {
    return !(Wanted<typename Terrain::template At<k>>::value || ...);
  }(std::make_integer_sequence<int, i>{});
  if constexpr (!Wanted<Kind>::value) {
    return with_kind_up_to<Wanted, i - 1>(terrain, f);
  } else if constexpr (is_first) {
    return f(terrain.template get<Kind>());
  } else {
    if (terrain.kind == i) return f(terrain.template get<Kind>());
    return with_kind_up_to<Wanted, i - 1>(terrain, f);
  }
}
template <template <class> class Wanted, class... Kinds, class F>
ALWAYS_INLINE decltype(auto) with_kind(const OneOf<Kinds...>& terrain, F&& f) {
  return with_kind_up_to<Wanted, static_cast<int>(sizeof...(Kinds)) - 1>(terrain, f);
}

template <class>
struct IsAny : std::true_type {};

/// What lies under a place.
struct Underground {
  double height;      // m
  bool inside, data;  // as in GroundPoint and SurfacePoint
};
template <class... Kinds>
HOST_DEVICE Underground under(const OneOf<Kinds...>& terrain, const double* tables, double x, double y) {
  return with_kind<IsAny>(terrain, [&]<class Kind>(const Kind& kind) -> Underground {
    if constexpr (HalfSpaces<Kind>) {
      return {ground_height(kind, tables, x, y), true, true};
    } else {
      const auto point = kind.at(tables, x, y);
      if constexpr (SmoothSurface<Kind>)
        return {point.z, point.inside, point.data};
      else
        return {point.height, point.inside, point.data};
    }
  });
}

// ---------------------------------------------------------------------------------------------------------------------
// Rough ground

/// Height of the ground at (x, y), m; of no meaning where there is none.
template <class... Kinds, class Real>
ALWAYS_INLINE Real ground_height(const OneOf<Kinds...>& terrain, const double* tables, const Real& x, const Real& y) {
  return with_kind<IsRough>(terrain, [&](const auto& kind) __attribute__((always_inline)) {
    return ground_height(kind, tables, x, y);
  });
}

/// What lies under a point.
template <class... Kinds, class Real>
ALWAYS_INLINE GroundUnder<Real> ground_under(const OneOf<Kinds...>& terrain, const double* tables,
                                             const Vec3<Real>& x) {
  return with_kind<IsRough>(terrain, [&](const auto& kind) __attribute__((always_inline)) {
    return ground_under(kind, tables, x);
  });
}

/// How far a point must be raised for its gap to be `gap`, m; -1e300 where there is no ground.
template <class... Kinds, class Real>
ALWAYS_INLINE Real raise_to_gap(const OneOf<Kinds...>& terrain, const double* tables, const Vec3<Real>& x,
                                const Real& gap) {
  return with_kind<IsRough>(terrain, [&](const auto& kind) __attribute__((always_inline)) {
    return raise_to_gap(kind, tables, x, gap);
  });
}

/// Unit vector down the steepest slope at (x, y), m; level ground gives e_x.
template <class... Kinds, class Real>
ALWAYS_INLINE Vec3<Real> fall_line(const OneOf<Kinds...>& terrain, const double* tables, const Real& x, const Real& y) {
  return with_kind<IsRough>(terrain, [&](const auto& kind) __attribute__((always_inline)) {
    return fall_line(kind, tables, x, y);
  });
}

/// Unit normal of the ground at x.
template <class... Kinds, class Real>
ALWAYS_INLINE Vec3<Real> ground_normal(const OneOf<Kinds...>& terrain, const double* tables, const Vec3<Real>& x) {
  return with_kind<IsRough>(terrain, [&](const auto& kind) __attribute__((always_inline)) {
    return ground_normal(kind, tables, x);
  });
}

/// The frame of a contact at x, with the first half-space or, where `on_second` holds, with the second: unit normal and
/// two unit tangents.
template <class... Kinds, class Real>
ALWAYS_INLINE void contact_frame(const OneOf<Kinds...>& terrain, const double* tables, const Mask<Real>& on_second,
                                 const Vec3<Real>& x, Vec3<Real>* frame) {
  with_kind<IsRough>(terrain, [&](const auto& kind) __attribute__((always_inline)) {
    contact_frame(kind, tables, on_second, x, frame);
  });
}

/// Gap of a contact at x, m, over the first half-space or, where `on_second` holds, over the second.
template <class... Kinds, class Real>
ALWAYS_INLINE Real contact_gap(const OneOf<Kinds...>& terrain, const double* tables, const Mask<Real>& on_second,
                               const Vec3<Real>& x) {
  return with_kind<IsRough>(terrain, [&](const auto& kind) __attribute__((always_inline)) {
    return contact_gap(kind, tables, on_second, x);
  });
}

// ---------------------------------------------------------------------------------------------------------------------
// Smooth surfaces

/// The surface of a run at (x, y).
template <class... Kinds, class Real>
HOST_DEVICE inline SurfacePoint<Real> surface_point(const OneOf<Kinds...>& terrain, const double* tables, const Real& x,
                                                    const Real& y) {
  return with_kind<IsSmooth>(terrain, [&](const auto& kind) __attribute__((always_inline)) {
    return kind.at(tables, x, y);
  });
}

template <class Terrain>
struct SurfaceOf {
  const Terrain& terrain;
  const double* tables;
  template <class Real>
  ALWAYS_INLINE SurfacePoint<Real> operator()(const Real& x, const Real& y) const {
    return surface_point(terrain, tables, x, y);
  }
};

/// Calls f(surface) with the surface of a run as a function of (x, y): one copy of f's code for the cheap ones each,
/// one for all others. A slider's step on a quadric takes half as long again where each of its evaluations looks at the
/// kind of terrain.
template <class... Kinds, class F>
ALWAYS_INLINE void with_surface(const OneOf<Kinds...>& terrain, const double* tables, F&& f) {
  using Terrain = OneOf<Kinds...>;
  if (((IsCostlySurface<Kinds>::value && terrain.template is<Kinds>()) || ...))
    return f(SurfaceOf<Terrain>{terrain, tables});
  with_kind<IsCheapSurface>(terrain, [&](const auto& kind) __attribute__((always_inline)) { f(kind.surface()); });
}

}  // namespace scree
