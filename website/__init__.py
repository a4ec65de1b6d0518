"""What the site is built with beside its pages: reference pages from the source, and notebooks as pages."""
