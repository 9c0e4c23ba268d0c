"""Imports the modules of every game, for programs that are forked from a warm process."""

from protocol.plugs import games, part_of

for game in games():
    for layer, part in (("protocol", "plug"), ("server", "plug"), ("client", "face")):
        part_of(layer, game, part)
