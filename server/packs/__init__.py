"""Packs that did not come with the program: found, read within limits, judged by a child."""
