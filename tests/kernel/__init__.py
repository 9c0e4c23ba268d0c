"""The kernel, proved with a toy game."""
