"""Faults of a store or a server's files, and the copy of an old database, in words for people."""

import contextlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from twisted.internet.error import CannotListenError

from commands.faults import why_refused
from commands.speaking import CommandWords
from protocol.common.visible import visible
from server.identity.files import UnusableFile
from server.storage import CopyFailed, StorageError


class CopyTeller:
    """Prints the progress of the copy that is made of a database of an earlier release."""

    def __init__(self, output: IO[str], words: CommandWords) -> None:
        self._output, self._words = output, words
        self._told = -1

    def __call__(self, copy: Path, done: int, total: int) -> None:
        """Print the start, each tenth of the bytes copied, and the end."""
        tenth = 10 * done // total
        if self._told < 0:
            self._say("serve.copies", copy)
        if tenth > self._told:
            self._say("serve.copied", -(-done // 1_000_000), -(-total // 1_000_000))
        if done == total:
            self._say("serve.brings_up", copy)
        self._told = max(self._told, tenth)

    def _say(self, key: str, *params: object) -> None:
        # The copy matters more than its progress.
        with contextlib.suppress(OSError, ValueError):
            print(visible(self._words.say(key, *params)), file=self._output, flush=True)


def in_words(fault: BaseException, words: CommandWords) -> str:
    """
    Return a sentence on why a server could not start, and what to do.

    Mistakes in a pack are not translated.
    """
    if isinstance(fault, CannotListenError):
        where = (fault.interface, fault.port, fault.socketError)
        return f"{words.say('serve.cannot_listen', *where)} {words.say('serve.port_taken')}"
    if isinstance(fault, UnusableFile):
        return words.say(f"file.{fault.kind}", *_told_params(fault.params, words))
    key = f"store.{type(fault).__name__}"
    if not isinstance(fault, StorageError) or not words.has(key):
        return str(fault)
    # The words contain the message of a system error already.
    cause = None if isinstance(fault, CopyFailed) else fault.__cause__
    # The message of the driver helps to repair the disk.
    detail = "" if cause is None else f" ({type(cause).__name__}: {cause})"
    return words.say(key, *_told_params(fault.params, words)) + detail


def _told_params(params: Iterable[object], words: CommandWords) -> Iterator[object]:
    for each in params:
        yield why_refused(each, words.say) if isinstance(each, OSError) else each
