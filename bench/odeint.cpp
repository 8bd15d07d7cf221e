// The same by Boost.odeint's runge_kutta4 on std::array, as its documentation shows it.
#include <array>
#include <boost/numeric/odeint/stepper/runge_kutta4.hpp>

#include "plain_equations.hpp"

namespace {

template <class Equations>
void integrate(const scree_plain_job& job) {
  constexpr std::size_t n = Equations::size;
  using State = std::array<double, n>;
  boost::numeric::odeint::runge_kutta4<State> stepper;
  for (std::size_t s = 0; s < job.samples; ++s) {
    const Equations equations(job, job.inputs + s * job.width);
    State y;
    Equations::start(job.inputs + s * job.width, y.data());
    for (std::size_t step = 0; step < job.steps; ++step)
      stepper.do_step(equations, y, static_cast<double>(step) * job.step, job.step);
    for (std::size_t i = 0; i < n; ++i) job.out[s * n + i] = y[i];
  }
}

}  // namespace

void scree_odeint_slider(const scree_plain_job* job) { integrate<SliderEquations<PlainQuadric>>(*job); }
void scree_odeint_cap(const scree_plain_job* job) { integrate<SliderEquations<PlainBowl>>(*job); }
void scree_odeint_pair(const scree_plain_job* job) { integrate<PairEquations>(*job); }
void scree_odeint_lorenz(const scree_plain_job* job) { integrate<LorenzEquations>(*job); }
void scree_odeint_projectile(const scree_plain_job* job) { integrate<ProjectileEquations>(*job); }
void scree_odeint_coulomb(const scree_plain_job* job) {
  integrate<CoulombEquations>(*job);
  relate_bodies(*job);
}
void scree_odeint_disk(const scree_plain_job* job) { integrate<DamEquations>(*job); }
