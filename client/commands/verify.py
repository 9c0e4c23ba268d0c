"""
The command `manse verify`: checks that an exported game is genuine and its chance fair.

This module checks the laws that hold in every game, and those of the game's own ruleset. To play
the log again, rules and content are needed, which a client does not import:
`server.commands.verify` passes a function that does this.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from client.commands.options import locale_of, parser_for, wishes_of
from client.commands.played_again import Outcome, PlayAgain, PlayedAgain, describe_difference
from client.keyring.identity import home_folder
from client.keyring.shares import FILE, KeptShares, Own, UnreadableShares, judged
from client.locale import Locale
from client.locale.faults import fault_in
from client.terminal.console import tell
from commands.faults import why_refused
from protocol import codec
from protocol.archive import MAX_FILE_BYTES, Archive, BadArchive, load_for_audit
from protocol.audit import AuditReport, SetupSource, audit
from protocol.common.chance import Stream
from protocol.common.events import Disclosure
from protocol.common.table import SIGNED_VERSION, GameEvent
from protocol.common.visible import visible
from protocol.event import Event, declared_fields
from protocol.keys import fingerprint, fingerprint_text
from protocol.source_audit import compare, source_of


@attrs.frozen
class Verdict:
    """The verdict on one file."""

    archive: Archive
    report: AuditReport
    compared: int = 0
    """
    The last event that a practice game shares with the game that it continues; 0 if not compared.
    """
    played: PlayedAgain | None = None
    """The result of playing the log again; None if the command does not play it."""
    lists_opened: bool = False
    """True if the text lists each secret that a later record opens."""

    def as_json(self) -> dict[str, Any]:
        header = self.archive.header
        counts, origin = self.report.counts, source_of(self.archive)
        source = origin and {
            "room": origin.room_id,
            "head": origin.head.hex(),
            "event": origin.sequence,
            "compared": bool(self.compared),
        }
        return {
            "ok": True,
            "kind": "whole" if self.report.is_whole else "cut",
            "room": header.room_id,
            "seat": None if header.seat < 0 else header.seat + 1,
            "events": self.report.record_count,
            "draws": {
                stream.value: {
                    "computed": counts.computed[stream],
                    "sealed": counts.sealed[stream],
                    "pending": counts.pending[stream],
                }
                for stream in Stream
            },
            "finished": self.report.is_finished,
            "version": self.report.version,
            "setup": self.report.setup.value,
            "checked": self._checked(),
            **({} if self.played is None else {"rules": self.played.as_json()}),
            "server_could": {
                "starts_failed": counts.starts_failed,
                "starts_silent": counts.starts_silent,
                "starts_hidden": counts.starts_hidden,
                "pauses": counts.pauses,
                "take_backs": counts.take_backs,
                "absences": counts.absences,
                "gifts": counts.gifts,
                "given_up": counts.given_up,
                "time_outs": counts.time_outs,
                "shares": counts.shares,
                "shares_of_bots": counts.shares_of_bots,
            },
            **({} if source is None else {"source": source}),
            "opened": [one.as_json() for one in self._opened()],
            "unshown": [one.as_json() for one in self._unshown()],
            "head": self.archive.head.hex(),
            "server": fingerprint_text(fingerprint(header.server)),
        }

    def _checked(self) -> list[str]:
        is_played = self.played is not None and self.played.outcome is Outcome.SAME
        laws = ["laws"] if self.report.has_game_laws else []
        return ["shared", *laws, *(["rules"] if is_played else [])]

    def _opened(self) -> list["OpenedLater"]:
        """Return the secrets that one record seals and a later one opens to all, in order."""
        records = self.archive.records
        return [
            OpenedLater(record.sequence, record.event.tag, shown, records[shown.sequence].event.tag)
            for record in records
            for shown in _disclosures(record.event)
        ]

    def _unshown(self) -> list["Unshown"]:
        """Return the secrets of the game that no record opens, and only this whole file does."""
        if not self.archive.header.is_whole:
            return []
        shown = {(one.shown.sequence, one.shown.slot) for one in self._opened()}
        happened = [record.event for record in self.archive.records]
        # A card that some could look at, and that was turned up by its handle for all.
        turned = {
            handle
            for event in happened
            if isinstance(event, GameEvent)
            for handle, _ in event.claims()
        }
        return [
            Unshown(record.sequence, record.event.tag, opening.value)
            for record, cut in zip(self.archive.records, self.archive.cuts, strict=True)
            if isinstance(record.event, GameEvent)
            for slot, opening in cut.openings
            if (record.sequence, slot) not in shown
            and getattr(record.event, "handle", None) not in turned
        ]

    def lines(self, name: str, locale: Locale) -> list[str]:
        header, report, say = self.archive.header, self.report, locale.say
        counts, source = report.counts, source_of(self.archive)
        if report.is_whole:
            first = say("verify.whole", name)
        elif header.seat < 0:
            first = say("verify.cut_watcher", name)
        else:
            first = say("verify.cut_seat", name, header.seat + 1)
        kinds = {
            "verify.draws_computed": counts.computed,
            "verify.draws_sealed": counts.sealed,
            "verify.draws_pending": counts.pending,
        }
        draws = [
            say(key, drawn.total(), *(drawn[stream] for stream in Stream))
            for key, drawn in kinds.items()
            if drawn
        ]
        if report.setup is SetupSource.PENDING:
            draws.append(say("verify.setup_pending"))
        stage = "finished" if report.is_finished else "running" if report.has_begun else "waiting"
        compared = "verify.practice_compared" if self.compared else "verify.practice"
        laws = "verify.shared_and_laws" if report.has_game_laws else "verify.shared_alone"
        return [
            first,
            say(f"verify.{stage}"),
            say("verify.events", report.record_count),
            *draws,
            say(laws),
            *self._lines_of_opened(locale),
            *([] if self.played is None else [self.played.in_words(locale)]),
            *([say(compared, source.sequence, source.room_id)] if source is not None else ()),
            *self._warnings(locale),
            say("verify.head", self.archive.head.hex()),
            say("verify.server", fingerprint_text(fingerprint(header.server))),
            say("verify.ok"),
        ]

    def _lines_of_opened(self, locale: Locale) -> list[str]:
        lists: dict[str, Sequence[OpenedLater | Unshown]] = {
            "verify.opened": self._opened(),
            "verify.unshown": self._unshown(),
        }
        lines: list[str] = []
        for key, found in lists.items():
            if found:
                lines.append(locale.say(key, len(found)))
                # The audit has checked each of them against its commitment.
                lines += [one.in_words(locale) for one in found if self.lists_opened]
        return lines

    def _warnings(self, locale: Locale) -> Iterator[str]:
        """Yield lines on cheating that no check detects, with the number of opportunities."""
        say, counts = locale.say, self.report.counts
        yield say("verify.could")
        yield say("verify.starts_failed", counts.starts_failed)
        if counts.starts_silent:
            yield say("verify.starts_silent", counts.starts_silent)
        if self.report.version >= SIGNED_VERSION:
            yield say("verify.starts_hidden", counts.starts_hidden)
        yield say("verify.pauses", counts.pauses)
        yield say("verify.take_backs", counts.take_backs)
        if counts.absences:
            yield say("verify.absences", counts.absences)
        if counts.gifts:
            yield say("verify.gifts", counts.gifts)
        if counts.given_up:
            yield say("verify.given_up")
        yield say("verify.time_outs", counts.time_outs)
        if self.report.setup is not SetupSource.OWN:
            yield say("verify.setup_fixed")
        if counts.shares:
            yield say("verify.shares", counts.shares_of_bots, counts.shares)
            if not self.report.has_foreign_share:
                yield say("verify.server_alone")
        if self.report.version == 1:
            yield say("verify.old_keys")
        if counts.starts_hidden:
            yield say("verify.hidden")
        if self.report.version < SIGNED_VERSION:
            yield say("verify.unsigned")


@attrs.frozen
class OpenedLater:
    """A secret that one record seals and a later one opens to all."""

    event: int
    """Sequence of the record that opens it."""
    kind: str
    """Tag of that record."""
    shown: Disclosure
    sealed_in: str
    """Tag of the record that sealed it."""

    def as_json(self) -> dict[str, Any]:
        return {
            "event": self.event,
            "kind": self.kind,
            "sealed_at": self.shown.sequence,
            "sealed_in": self.sealed_in,
            "value": self._value(),
        }

    def in_words(self, locale: Locale) -> str:
        places = (self.shown.sequence, self.sealed_in, self.event, self.kind)
        return locale.say("verify.opened_one", *places, self._value())

    def _value(self) -> str:
        return _in_text(self.shown.value)


@attrs.frozen
class Unshown:
    """A secret of a game that no later record opens, in a file that opens everything."""

    sealed_at: int
    """Sequence of the record that sealed it."""
    sealed_in: str
    """Tag of that record."""
    value: bytes

    def as_json(self) -> dict[str, Any]:
        return {"sealed_at": self.sealed_at, "sealed_in": self.sealed_in, "value": self._value()}

    def in_words(self, locale: Locale) -> str:
        return locale.say("verify.unshown_one", self.sealed_at, self.sealed_in, self._value())

    def _value(self) -> str:
        return _in_text(self.value)


def _in_text(packed: bytes) -> str:
    """Return a secret as text: a text itself, anything else as it is packed."""
    plain = codec.unpack(packed)
    return visible(plain if isinstance(plain, str) else str(plain))


def _disclosures(event: Event) -> Iterator[Disclosure]:
    for field in declared_fields(type(event)):
        value = getattr(event, field.name)
        if isinstance(value, Disclosure):
            yield value


def check(data: bytes) -> Verdict:
    """
    Verify the bytes of a file.

    Raises:
        BadArchive: the file has a fault; the exception describes the first fault.
    """
    archive = load_for_audit(data)
    return Verdict(archive, audit(archive))


def read_file(path: Path) -> bytes:
    """
    Return the bytes of a file.

    Raises:
        OSError: the file cannot be read.
        BadArchive: the file is longer than any game.
    """
    if path.stat().st_size > MAX_FILE_BYTES:
        raise BadArchive("it is longer than any game", kind="too_long")
    return path.read_bytes()


def main(argv: list[str], play_again: PlayAgain | None = None) -> int:
    """Verify one file.

    Args:
        argv: the arguments.
        play_again: plays a log again by the rules; None if no rules are installed.

    Returns:
        0 if the file passes all checks, 1 if not, 2 for an invalid command line.
    """
    parser = parser_for("verify", argv)
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--source", type=Path, metavar="FILE")
    parser.add_argument("--rules", action=argparse.BooleanOptionalAction)
    parser.add_argument("--pack", action="append", default=[], metavar="PACK")
    parser.add_argument("--opened", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_language()
    options = parser.parse_args(argv)
    locale = locale_of(options, wishes_of(parser, options).prefs)
    name = str(options.file)
    try:
        data = read_file(options.file)
        verdict = attrs.evolve(check(data), lists_opened=options.opened)
        if options.source is not None:
            # An error names the file that was being read.
            name = str(options.source)
            source = check(read_file(options.source))
            name = str(options.file)
            verdict = attrs.evolve(verdict, compared=compare(verdict.archive, source.archive))
        kept = KeptShares(home_folder() / FILE)
        # Of all servers, because the file may be signed by another one.
        own = judged(verdict.archive.records, kept.opened_at(verdict.archive.header.room_id))
    except OSError as error:
        return _fail(locale.say("cli.cannot_read", name, why_refused(error, locale.say)), options)
    except UnreadableShares as error:
        return _fail(locale.say("verify.shares_unreadable", str(error)), options)
    except BadArchive as error:
        return _fail(locale.say("verify.bad", name, fault_in(error, locale)), options, error)
    if own is Own.MISSING:
        return _fail(locale.say("verify.share_missing", name), options)
    verdict = attrs.evolve(verdict, played=_play_log(verdict, data, options, play_again))
    if (fault := _fault_of(verdict, name, options, locale)) is not None:
        return fault
    if options.json:
        print(json.dumps({**verdict.as_json(), "own_share": own.value}))
    else:
        said = [locale.say(_OWN_SHARE[own])] if own in _OWN_SHARE else []
        tell("\n".join([*verdict.lines(name, locale), *said]))
    return 0


def _play_log(
    verdict: Verdict, data: bytes, options: argparse.Namespace, play_again: PlayAgain | None
) -> PlayedAgain:
    """Play the log again, if rules are installed, the options allow it and the log is whole."""
    if options.rules is False or play_again is None:
        return PlayedAgain(Outcome.NOT_ASKED)
    if not verdict.report.is_whole:
        return PlayedAgain(Outcome.NOT_WHOLE)
    source = source_of(verdict.archive)
    # After the records of a source come its end and the new seeds, which no rule writes either.
    begin = 0 if source is None else source.sequence + 3
    return attrs.evolve(play_again(data, options.pack), begin=begin)


def _fault_of(
    verdict: Verdict, name: str, options: argparse.Namespace, locale: Locale
) -> int | None:
    """Report that the rules write another log, or with `--rules` that they cannot play the log.

    Returns:
        The exit status; None if nothing was reported.
    """
    played = verdict.played
    assert played is not None
    if played.difference is not None:
        found = played.difference
        error = BadArchive(found.reason, found.sequence, "rules")
        more = {"rules": played.as_json()}
        return _fail(describe_difference(found, name, locale, played.begin), options, error, more)
    if options.rules and played.outcome is not Outcome.SAME:
        return _fail(played.in_words(locale), options, more={"rules": played.as_json()})
    return None


_OWN_SHARE = {
    Own.IN_KEY: "verify.share_in_key",
    Own.IN_FAILED_START: "verify.share_in_failed_start",
}
"""Catalog keys of the sentence on the player's own share, by its state on the log. Used if the file
has no fault."""


def _fail(
    text: str,
    options: argparse.Namespace,
    error: BadArchive | None = None,
    more: Mapping[str, Any] | None = None,
) -> int:
    if options.json:
        sequence = error.sequence if error is not None else None
        reason = error.reason if error is not None else text
        print(json.dumps({"ok": False, "event": sequence, "reason": reason, **(more or {})}))
    else:
        tell(text, sys.stderr)
    return 1
