"""From a degree sequence to added edges."""
