"""
The woods: a game of one keeper against some animals, for what the toy is too even to show.

The keeper plays no character and knows what nobody else does; animals fall and others come in
their place; a seat that is alone with the keeper plays two of them.
"""
