"""Table and records of the woods."""
