"""What belongs to one player alone: keys, shares of chance, and the files that keep them."""
