"""Protected networks as files: published, matched, checked again."""
