"""The libFuzzer process that executes units.

The room promises that a campaign with one seed is one campaign: the same bytes, made in the same order, have the same
outcomes, whether these were solved now, by another worker, or last week. A cache saves time and changes nothing else.

The way of a unit: `target` receives the bytes and determines their origin (`made_units`); `known_outcomes` returns the
outcome if an import, the table or this worker has it; `executor` has the mutant solved and checked otherwise;
`feedback` shows the outcome to libFuzzer, `mutations` learns from it, and `reporter` writes suspicions.

Forbidden here:

- An exception that leaves the target. libFuzzer would report it as a crash of the solver, so `internal_errors` keeps
  it.
- Chance that does not come from libFuzzer's seed, and a decision by a clock.
- Work on a unit outside of `CrashGuard` or `InFlightUnit`: the supervisor must know the unit that a worker died of.
- A second place that judges a known outcome again. `known_outcomes` does so after a seed's status has fallen.

Odd on purpose: libFuzzer mutates a unit several times before it executes the result, so a mutant has an `origin`, the
unit that the chain began with; rows are credited for the whole chain. An outcome of an equal mutant of another unit is
shown without credit, because the rows of this unit did not make anything new.
"""
