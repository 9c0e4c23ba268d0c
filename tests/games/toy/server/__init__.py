"""Rules of the toy."""
