"""
Practice: `manse solo --practice FILE` continues a finished game from one of its checkpoints.

One player answers for all seats in line mode. The rules are the real ones; dice and draws are new.
There is no server and no store: the game is gone when the player leaves, and the file is not
changed.
"""

import argparse
import random
import sys
from collections.abc import Mapping, Sequence
from typing import Any, TextIO

import attrs

from client.commands.verify import check, read_file
from client.journal.journal import lines_of
from client.locale import load as locale_of
from client.locale.faults import fault_in
from client.locale.speaker import Speaker
from client.locale.word_store import WordStore
from client.model.tables import TableStep
from client.plain.words import journal_line
from client.terminal.console import tell
from client.terminal.crash import STATUS_CRASHED
from commands.faults import why_refused
from commands.parser import Parser
from content.plugs import packs
from content.reading.mistakes import ContentErrors
from protocol.archive import Archive, BadArchive
from protocol.common.asks import Question
from protocol.common.events import RoomClosed
from protocol.common.table import Stage, Table, fold
from protocol.event import Event, Stored, read_own
from protocol.fault_report import fault_lines
from server.authoring.driver import Driver
from server.kernel.batch_writer import Batch
from server.kernel.branching import CannotBranch, NoCheckpoint, branched, checkpoint_before
from server.kernel.errors import Refused, RuleFailed
from server.packs import sandbox, sources
from server.packs.shelf import PackShelf
from server.system.entropy import SystemEntropy

LEAVE = "q"


class Left(Exception):
    """The player leaves."""


def practise(parser: Parser, options: argparse.Namespace) -> int:
    """
    Continue the archived game of a file, with typed answers.

    Args:
        parser: parser of `manse solo`.
        options: `practice` is the file, `at` the event, `pack` the packs.

    Returns:
        The exit status: 0, 1 if the file cannot be continued, 70 if a rule failed.
    """
    locale = locale_of(parser.words.language)
    name = str(options.practice)
    try:
        archive = check(read_file(options.practice)).archive
        shelf = _shelf(options.pack)
    except OSError as error:
        return _fail(parser, locale.say("cli.cannot_read", name, why_refused(error, locale.say)))
    except BadArchive as error:
        return _fail(parser, locale.say("verify.bad", name, fault_in(error, locale)))
    except ContentErrors as error:
        return _fail(parser, str(error))
    opened = _table_at_end(archive).room
    if opened.content_hash not in shelf.packs:
        return _fail(parser, parser.word("other_pack", name))
    last: int = options.at
    try:
        begin = checkpoint_before(archive, last)
        room = branched(archive, last, shelf, SystemEntropy())
    except NoCheckpoint:
        return _fail(parser, parser.word("no_checkpoint", name, last))
    except CannotBranch:
        return _fail(parser, parser.word("secrets_shut", name))
    except RuleFailed:
        return _fail(parser, parser.word("rules_changed", name))
    catalogs = shelf.catalogs(opened.content_hash)
    spoken = locale.language if locale.language in catalogs else next(iter(catalogs))
    speaker = Speaker(locale.for_game(opened.ruleset), WordStore(catalogs[spoken], spoken))
    pack = shelf.packs[opened.content_hash]
    seats = len(room.table.room.seats)
    game = _Practice(
        # The driver's own chance is not used: the player makes every choice.
        *(room, random.Random(0), seats, pack, opened.scenario),
        time=room.last_time,
        parser=parser,
        speaker=speaker,
        archive=archive,
        lines=sys.stdin,
    )
    return game.run(begin)


def _fail(parser: Parser, why: str) -> int:
    tell(f"{parser.prog}: {why}", sys.stderr)
    return 1


def _shelf(named: Sequence[str]) -> PackShelf:
    """Return a shelf of the bundled packs and the named ones."""
    shelf = PackShelf()
    for kind, files in packs.base_packs():
        shelf.add(packs.load(kind.base, files))
    for name in named:
        # A stranger's pack is read by a child process with limits first.
        is_ours = sources.game_with(name) is not None
        shelf.add((sources.find(name) if is_ours else sandbox.judged(name)).load())
    return shelf


def _table_at_end(archive: Archive) -> Table:
    table = Table()
    for record in archive.records:
        table = fold(table, record)
    return table


@attrs.define(eq=False)
class _Practice(Driver):
    """The branch of a finished game, and the terminal that plays all its seats."""

    parser: Parser = attrs.field(kw_only=True)
    speaker: Speaker = attrs.field(kw_only=True)
    archive: Archive = attrs.field(kw_only=True)
    """The finished game that is continued."""
    lines: TextIO = attrs.field(kw_only=True)
    """Lines that the player types."""
    told: Table = attrs.field(factory=Table, init=False)
    """Table after the last record that was printed."""

    def run(self, begin: int) -> int:
        """
        Play from a checkpoint until the game is over or the player leaves.

        Returns:
            The exit status: 0, or 70 if a rule failed.
        """
        for record in self.archive.records[: begin + 1]:
            self.told = fold(self.told, record)
        tell(self.parser.word("practice_begins", begin, LEAVE))
        # The rules have already run up to the branch's first question.
        self._tell_records(self.room.log[begin + 1 :])
        try:
            while self.room.table.room.stage is not Stage.OVER:
                try:
                    self.step()
                except Refused as refused:
                    tell(self.speaker.say(f"error.{refused.code}"))
        except Left:
            tell(self.parser.word("practice_left"))
            return 0
        except RuleFailed as failed:
            tell("\n".join(fault_lines(failed, failed.__traceback__)), sys.stderr)
            _fail(self.parser, self.parser.word("practice_failed"))
            return STATUS_CRASHED
        tell(self.parser.word("practice_over"))
        return 0

    def after_batch(self, happened: Event, origin: int, batch: Batch) -> None:  # noqa: ARG002 (as drivers do)
        """Print the records that follow an input."""
        self._tell_records(batch.stored)

    def _tell_records(self, records: Sequence[Stored]) -> None:
        for stored in records:
            record = read_own(self.room.room_id, stored)
            after = fold(self.told, record)
            # A branch is not kept, so nobody verifies it: opened seeds are not worth a line.
            if not isinstance(record.event, RoomClosed):
                for line in lines_of(TableStep(self.told, record, after), self.speaker):
                    tell(journal_line(line, self.speaker, after.room.ruleset))
            self.told = after

    def next_seat(self, waiting: Sequence[int], questions: Mapping[int, Any]) -> int:  # noqa: ARG002 (as drivers do)
        """Return the seat that answers next; the player chooses if several are asked."""
        if len(waiting) == 1:
            return waiting[0]
        tell(self.parser.word("practice_who"))
        names = [self.speaker.seat(self.told, seat) for seat in waiting]
        (at,) = self._numbers(names, 1, 1)
        return waiting[at]

    def answer(self, seat: int, question: Question) -> tuple[str, ...]:
        """Return the player's choice for a seat. Raises Left if the player leaves."""
        tell("")
        name = self.speaker.seat(self.told, seat)
        tell(self.parser.word("practice_asks", name, self.speaker.text(question.prompt)))
        texts = [self.speaker.text(choice.text) for choice in question.choices]
        while True:
            chosen = self._numbers(texts, question.at_least, question.at_most)
            picks = tuple(question.choices[at].choice_id for at in chosen)
            if question.part_faults(picks) is None:
                return picks
            tell(self.parser.word("practice_again", LEAVE))

    def _numbers(self, texts: Sequence[str], at_least: int, at_most: int) -> list[int]:
        """
        Print a numbered list of texts; return the indices that the player chooses.

        Raises:
            Left: the player leaves, or the input ends.
        """
        for number, text in enumerate(texts, 1):
            tell(f"{number}. {text}")
        if (at_least, at_most) != (1, 1):
            tell(self.parser.word("practice_many", at_least, at_most))
        while (line := self.lines.readline()) and line.strip() != LEAVE:
            words = line.split()
            places = [int(word) - 1 for word in words if word.isascii() and word.isdecimal()]
            is_offered = all(0 <= at < len(texts) for at in places)
            if len(places) == len(words) and is_offered and at_least <= len(words) <= at_most:
                return places
            tell(self.parser.word("practice_again", LEAVE))
        raise Left
