"""The domain of interpolation problems."""
