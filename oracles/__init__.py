"""Oracles: from an outcome to verdicts, one oracle per module. An oracle that cannot decide returns UNDECIDED."""
