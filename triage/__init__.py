"""What becomes of a verdict that looks like a finding: confirmed in a fresh process, judged, kept, told."""
