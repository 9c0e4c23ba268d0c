"""The operating system as a server uses it: processes, files, clock, garbage, log."""
