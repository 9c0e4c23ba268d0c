"""Packs that are not bundled: found, read within limits, judged by a child process."""
