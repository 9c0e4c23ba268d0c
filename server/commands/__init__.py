"""What `manse serve`, `solo`, `demo` and `tutorial` run."""
