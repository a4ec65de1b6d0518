"""Speed and quality on this machine: every ``bench_*.py`` here has a ``run(data_dir)`` that returns rows."""
