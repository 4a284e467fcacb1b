"""Horn systems that are drawn together with their witness."""
