"""Woods: a game of one keeper against animals, for cases in which the toy is too symmetric.

The keeper plays no character and has secrets of its own. Animals fall and are replaced. A seat
alone with the keeper plays two animals.
"""
