"""Standing passes of the viewer: what can be passed on, until when, and how it is said."""

from collections.abc import Sequence

from client.locale.speaker import Speaker
from client.model.tables import TableView
from protocol.bounds import MAX_ID, MAX_KINDS
from protocol.common.standing import StandingPass, covers, lapses_of, with_groups
from protocol.common.text import Text


def lapses_for(view: TableView, kind: str) -> tuple[str, ...]:
    """Return the names of the lapses that can end a pass on this kind, in the order of the game."""
    lapses = lapses_of(view.table.room, view.table.game)
    return tuple(one for one in lapses if len(StandingPass(kind, one).written) <= MAX_ID)


def offered(view: TableView) -> tuple[str, ...]:
    """Return the kinds and groups on which the viewer does not pass yet."""
    passed = [StandingPass.read(one).kind for one in view.standing]
    names = kinds_and_groups(view.table.room.kinds)
    return tuple(one for one in names if not any(covers(name, one) for name in passed))


def kinds_and_groups(kinds: Sequence[str]) -> tuple[str, ...]:
    """
    Return the kinds of question asked at a table, and their groups, each before its kinds.

    A group is named if several kinds of it were asked, and no narrower group has all of these.
    """
    found: dict[tuple[str, ...], str] = {}
    # Ascending, so that of the groups with the same kinds the narrowest comes last, and stays.
    for name in sorted(with_groups(kinds)):
        covered = covered_by(name, kinds)
        if name in kinds or len(covered) > 1:
            found[covered] = name
    return tuple(sorted(found.values()))


def covered_by(name: str, kinds: Sequence[str]) -> tuple[str, ...]:
    """Return those of the kinds that are the named one, or are in the named group."""
    return tuple(kind for kind in kinds if covers(name, kind))


def with_pass(view: TableView, kind: str, lapse: str = "") -> tuple[str, ...] | None:
    """Return the viewer's passes with one more, to be sent; None if there are too many."""
    others = (one for one in view.standing if StandingPass.read(one).kind != kind)
    passes = tuple(sorted({*others, StandingPass(kind, lapse).written}))
    return passes if len(passes) <= MAX_KINDS else None


def without_pass(view: TableView, written: str) -> tuple[str, ...]:
    """Return the viewer's passes without one, to be sent."""
    return tuple(one for one in view.standing if one != written)


# Words ---------------------------------------------------------------------------------------


def kind_name(speaker: Speaker, view: TableView, name: str) -> str:
    """Return the name of a kind; of a group, the names of its kinds that were asked so far."""
    kinds = view.table.room.kinds
    if name in kinds:
        return speaker.text(Text(name, (), "name"))
    names = (speaker.text(Text(kind, (), "name")) for kind in covered_by(name, kinds))
    return speaker.say("passes.group", ", ".join(names))


def lapse_name(speaker: Speaker, lapse: str) -> str:
    """Return until when a pass with this lapse stands, such as `until the end of the round`."""
    key = f"lapse.{lapse}"
    # A game without a face has no words for its own lapses.
    return speaker.say(key) if speaker.locale.has(key) else lapse


def pass_text(speaker: Speaker, view: TableView, written: str) -> str:
    """Return a standing pass as a sentence without a full stop."""
    one = StandingPass.read(written)
    name = kind_name(speaker, view, one.kind)
    if one.lapse:
        return speaker.say("passes.lapsing", name, lapse_name(speaker, one.lapse))
    return speaker.say("passes.standing", name)
