"""
The child process that looks back on a stranger's game, within limits of the operating system.

The process reads the file and the packs from its input, and writes a `Remembered` to its output.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence

from content.reading.mistakes import ContentErrors
from protocol import codec
from protocol.archive import WordsOf, load
from protocol.common.hindsight import Hindsight
from protocol.common.text import Catalog, strings_of
from protocol.values import frozen
from server.kernel.errors import ContentNeeded
from server.kernel.hindsight import NotOver, look_back
from server.packs.judge import limit
from server.packs.player import CPU_SECONDS, MEMORY_BYTES, library_of, packs_of, unframed


@frozen
class Remembered:
    """Hindsight on one game, and the words for it."""

    outcome: str
    """`found`, or why there is none: `bad_pack`, `no_pack`, `not_over`."""
    found: tuple[Hindsight, ...] = ()
    words: tuple[WordsOf, ...] = ()
    """The words of all that is named, in each language of the pack."""


def main() -> int:
    """
    Look back on the log on the input, write what is found to the output, and return 0.

    The arguments are the kinds of the packs that follow the log.
    """
    file, *others = unframed(sys.stdin.buffer.read())
    limit(CPU_SECONDS, MEMORY_BYTES)
    found = remembered(file, list(zip(sys.argv[1:], others, strict=True)))
    sys.stdout.buffer.write(codec.encode(found, Remembered))
    sys.stdout.flush()
    return 0


def remembered(file: bytes, others: Sequence[tuple[str, bytes]]) -> Remembered:
    """
    Return the hindsight on a log.

    Args:
        file: a file that was audited.
        others: the kind and the bytes of each pack beside the bundled ones.
    """
    archive = load(file)
    played = list(packs_of(archive))[-1]
    try:
        library = library_of(archive, others)
    except ContentErrors:
        return Remembered("bad_pack")
    if played not in library.shelf.packs:
        return Remembered("no_pack")
    try:
        found = look_back(archive, library)
    except NotOver:
        return Remembered("not_over")
    except ContentNeeded:
        return Remembered("no_pack")
    catalogs = library.shelf.catalogs(played)
    words = tuple(WordsOf(name, tuple(_words(of, found))) for name, of in catalogs.items())
    return Remembered("found", found, words)


def _words(
    catalog: Catalog, found: Sequence[Hindsight]
) -> Iterator[tuple[str, tuple[tuple[str, str], ...]]]:
    named = dict.fromkeys(string for one in found for string in strings_of(one.text))
    for subject in ("language", *named):
        words: Mapping[str, str] = catalog.get(subject, {})
        if words:
            yield subject, tuple(sorted(words.items()))
