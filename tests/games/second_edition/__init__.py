"""The second edition as a whole: games from start to end, on the kernel."""
