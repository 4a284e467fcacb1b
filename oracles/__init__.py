"""From an outcome to verdicts, one oracle a module. An oracle that cannot decide says so, and reports nothing."""
