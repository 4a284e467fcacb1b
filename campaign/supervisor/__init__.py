"""The process that starts workers and reports on the campaign."""
