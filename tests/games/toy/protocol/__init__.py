"""Table and records of the toy."""
