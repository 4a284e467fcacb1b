"""Experiments: trials of campaigns, and the statistics that compare them."""
