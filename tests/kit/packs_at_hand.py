"""Reads the bundled pack of every game, for programs that are forked from a warm process."""

from content.plugs import packs
from tests.kit.known_packs import remember, remember_compiled

remember_compiled()
remember()
for kind, files in packs.base_packs():
    packs.load(kind.base, files)
