"""From choices to mutants: recipes, chains, policies, the registry, libFuzzer's mutator; `families` has the rows."""
