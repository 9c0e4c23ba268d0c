"""Imports what servers and clients import of every game, for programs that start warm."""

from protocol.plugs import games, part_of

for game in games():
    for layer, part in (("protocol", "plug"), ("server", "plug"), ("client", "face")):
        part_of(layer, game, part)
