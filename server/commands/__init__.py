"""Commands of a server: `manse serve`, `solo`, `demo` and `tutorial`."""
