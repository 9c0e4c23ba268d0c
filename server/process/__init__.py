"""One server process: settings, what it is put together from, its life, its figures."""
