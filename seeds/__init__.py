"""Proofs of the statuses of the seeds, the programs that search them, and the seeds that come from other seeds."""
