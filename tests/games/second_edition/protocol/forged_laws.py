"""Forgers for the laws of this game that `manse verify` checks."""

import lzma
from collections.abc import Callable, Sequence
from pathlib import Path

from protocol import codec
from tests.verifying.logs import types, verifier
from tests.verifying.rules.forging import Forge, Forgery, Rule, rule
from tests.verifying.rules.pools import POOLS

GAME = "second edition"
LAWS: dict[str, Rule] = {}
"""The laws, by name."""
PATH = Path(__file__).parents[3] / "golden" / "conditions" / "two-sided.manse.xz"


def _files() -> Sequence[bytes]:
    return [lzma.decompress(PATH.read_bytes())]


POOLS[GAME] = _files


def law(name: str) -> Callable[[Forge], Forge]:
    """Register the forger of a law."""
    return rule(4, name, GAME, into=LAWS)


@law("shuffled/2: another number of cards than the pile had")
def _other_number(f: Forgery) -> int:
    at = f.rng.choice([at for at in f.places("shuffled/2") if _is_again(f, at)])
    line = f.lines[at]
    f.need(f.get(at, "stream") == "play")
    order = f.opened(at)
    f.need(len(order) > 1)
    return _fair(f, at, line.fields[4][:-1], order[:-1])


def _is_again(f: Forgery, at: int) -> bool:
    return any(f.get(n, "pile") == f.get(at, "pile") for n in f.places("shuffled/2") if n < at)


def _fair(f: Forgery, at: int, handles: list[str], order: list[str]) -> int:
    """Put other cards into a shuffle, in the order that follows from the seed."""
    module = verifier()
    log = module.verify(f.file.renumbered().committed_anew().sealed(), types())
    stream, number, purpose = f.get(at, "stream"), f.get(at, "number"), f.get(at, "purpose")
    mix = module.mixed if stream == "play" else module.ranked
    f.lines[at].fields[4] = handles
    f.put_opened(at, list(mix(log.keys[stream], number, purpose, order)))
    return at


@law("shuffled/2: other cards than the pile had")
def _other_cards(f: Forgery) -> int:
    found = [at for at in f.places("shuffled/2") if _is_again(f, at)]
    at = f.rng.choice([at for at in found if f.opened(at)])
    order = f.opened(at)
    order[0] = "damage/none-such"
    return _fair(f, at, f.get(at, "handles")[:], order)


@law("rested: a pile is not mixed")
def _unmixed(f: Forgery) -> int:
    found = []
    for at in f.places("se/harm_discarded"):
        after = f.lines[at + 1]
        if after.tag == "shuffled/2":
            found.append(at + 1)
    f.need(found)
    at = f.rng.choice(found)
    pile = f.get(at, "pile")
    f.remove(at)
    stop = next(
        n
        for n in range(at, len(f.lines))
        if f.lines[n].tag in {"asked/2", "asked/3", "rested", "room_closed/2"}
        or (f.lines[n].tag == "shuffled/2" and f.get(n, "pile") == pile)
    )
    f.need(f.lines[stop].tag.startswith("asked") or f.lines[stop].tag == "rested")
    return f.end(stop) if f.lines[stop].tag.startswith("asked") else _rest(f, stop)


def _rest(f: Forgery, at: int) -> int:
    # A cut ends where the room waits: at the next question.
    stop = next(n for n in range(at, len(f.lines)) if f.lines[n].tag.startswith("asked"))
    f.need(not {"passed_standing"} & {line.tag for line in f.lines[stop : stop + 2]})
    f.end(stop)
    return at


@law("se/test_declared: inside another test")
def _inside(f: Forgery) -> int:
    at = f.one("se/test_declared")
    f.again(at, at + 1)
    return _until_asked(f, at + 1)


def _until_asked(f: Forgery, at: int) -> int:
    """End the log at the next question."""
    stop = next(n for n in range(at, len(f.lines)) if f.lines[n].tag.startswith("asked"))
    f.need(stop + 1 == len(f.lines) or f.lines[stop + 1].tag != "passed_standing")
    f.end(stop)
    return at


@law("se/test_finished: another result than the dice show")
def _result(f: Forgery) -> int:
    at = f.one("se/test_finished")
    return f.put(at, "successes", f.get(at, "successes") + f.rng.choice([-1, 1]))


@law("se/dice_shown: other dice than were rolled")
def _dice(f: Forgery) -> int:
    at = f.one("se/dice_shown")
    faces = f.get(at, "faces")
    f.need(faces and not f.get(at, "rerolled"))
    faces[0] = f.rng.choice([face for face in ("success", "blank") if face != faces[0]])
    return at


@law("se/became_insane: without a handle")
def _no_handle(f: Forgery) -> int:
    at = f.one("se/became_insane")
    return f.put(at, "handle", "")


@law("se/became_insane: another back than that of its handle")
def _back(f: Forgery) -> int:
    shown = f.one("se/back_shown")
    disclosed = f.get(shown, "back")
    at = disclosed[0]
    disclosed[3] = codec.pack("condition/none-such")
    if f.rng.random() < 0.5:
        f.put(shown, "card", "condition/none-such")
    return f.put_opened(at, "condition/none-such", disclosed[1])


@law("se/back_shown: another card than is disclosed")
def _card(f: Forgery) -> int:
    return f.put(f.one("se/back_shown"), "card", "condition/none-such")


@law("se/harm_taken: a card that is not on top")
def _not_on_top(f: Forgery) -> int:
    at = f.one("se/harm_taken")
    harm = f.get(at, "harm")
    mixed = [n for n in f.places("shuffled/2") if n < at and f.get(n, "pile") == f"deck/{harm}"]
    f.need(mixed)
    f.put(at, "handle", f.get(mixed[-1], "handles")[-1])
    return at


@law("se/tile_placed: a drawing that cannot be read")
def _drawing(f: Forgery) -> int:
    at = f.one("se/tile_placed")
    tile = f.get(at, "tile")
    how = f.rng.randrange(3)
    if how == 0:
        tile[3][0] += "?"
    elif how == 1:
        tile[4].pop()
    else:
        tile[3] = ["-" * 161]
    return at


@law("rolled/2: dice that are not shown")
def _not_shown(f: Forgery) -> int:
    at = f.one("rolled/2")
    f.need(f.lines[at + 1].tag.startswith("se/"))
    return _until_asked(f, f.remove(at + 1))


@law("se/condition_gained/2: a card of which none is left")
def _none_left(f: Forgery) -> int:
    [at, *_] = [at for at in f.places("se/condition_gained/2") if not f.get(at, "handle")]
    return f.put(at, "card", "condition/none-such")
