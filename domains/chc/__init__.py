"""The domain of Horn systems."""
