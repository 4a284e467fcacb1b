"""What mutation families share."""
