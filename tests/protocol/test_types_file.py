"""types.json agrees with the code, and suffices to tell valid values from invalid ones."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest

from protocol import codec, event
from protocol.commitments import Opening, commit
from protocol.common.asks import Question
from protocol.common.events import Asked
from protocol.describe import types_text
from protocol.errors import ProtocolError
from protocol.event import (
    Cut,
    Event,
    Stored,
    declared_fields,
    earlier_kinds,
    everything,
    kinds,
    openings_of,
    read,
)
from protocol.login import ClientLogin, ServerLogin
from protocol.messages import decode_message, encode_message, message_kinds
from protocol.plugs import games
from protocol.types_file import types_file
from protocol.upcasts import Change, Kept
from protocol.vocabulary import ClientMessage, Message
from server.kernel.room import Room
from tests.games.second_edition.simulate import simulate
from tests.games.second_edition.spellbook import spellbook
from tests.protocol.kinds import Moved, Split
from tests.protocol.readers.outsider import Wrong
from tests.protocol.readers.typed import Types
from tests.protocol.test_messages import SAMPLES
from tests.protocol.vectors import EXPORTER, IDENTITY, NONCE, PLAYER

PATH = Path(__file__).parents[2] / "protocol" / "types.json"
TYPES = Types(json.loads(PATH.read_text("utf-8")))
FORGERIES = 120
"""Number of changes tried on one record."""
WRONG: tuple[codec.Plain, ...] = (
    *(None, True, False, -1, 0, 1, 2**53 + 1, -(2**53) - 1, 604_801),
    *("", "none", "x" * 65, "\u202e", b"", b"x" * 33, (), (1,), ("a", "b"), ((1, 2),)),
)


@pytest.fixture(scope="module")
def room() -> Room:
    """Return a finished game of three, with Spells."""
    return simulate(2, 3, pack=spellbook()).play().room


def test_the_file_is_up_to_date() -> None:
    """To update it, run python -m protocol.describe --types protocol/types.json."""
    assert PATH.read_text("utf-8") == types_text()


def test_every_kind_and_every_earlier_form_is_in_the_file() -> None:
    """The kinds of a new ruleset have to be named in `protocol.describe`."""
    # A test of a game that no player can open yet may have imported that game's events.
    of_games = tuple(f"protocol.games.{game}." for game in games())

    def is_ours(module: str) -> bool:
        of_game = module.startswith("protocol.games.")
        return module.startswith(of_games if of_game else "protocol.")

    ours = {tag for tag, kind in kinds().items() if is_ours(kind.__module__)}
    earlier = {old for old in earlier_kinds() if not old.startswith("test/")}

    assert {kind["tag"] for kind in TYPES.file["events"]} == ours
    assert {form["tag"] for form in TYPES.file["earlier"]} == earlier
    assert [kind["tag"] for kind in TYPES.file["messages"]] == list(message_kinds())


def test_only_new_handles_are_called_handles() -> None:
    """A verifier that knows no game takes the field `handles` for handles that are new."""
    have = {tag for tag, kind in kinds().items() if "handles" in attrs.fields_dict(kind)}  # type: ignore[arg-type]  # is attrs

    assert have == {"shuffled/2", "shuffled_some", "arranged"}


def test_every_record_of_a_game_fits(room: Room) -> None:
    for stored in room.log:
        openings = {slot: opening.value for slot, opening in enumerate(openings_of(stored))}
        TYPES.record(stored.public, openings)


def test_the_login_fits() -> None:
    server = ServerLogin(IDENTITY, EXPORTER, NONCE, "Manse")
    client = ClientLogin(PLAYER, "Zoë", "fr", EXPORTER, None)

    TYPES.message(hello := server.hello(), "server", part="login")
    TYPES.message(login := client.receive(hello) or b"", "client", part="login")
    server.receive(login)
    TYPES.message(server.welcome(), "server", part="login")


@pytest.mark.parametrize("said", SAMPLES, ids=lambda said: type(said).tag)
def test_every_message_fits_for_its_side_alone(said: Message) -> None:
    payload = encode_message(said)
    sides = ["client", "server"] if isinstance(said, ClientMessage) else ["server", "client"]

    TYPES.message(payload, sides[0])
    with pytest.raises(Wrong):
        TYPES.message(payload, sides[1])


def test_the_file_and_the_code_refuse_the_same_messages() -> None:
    verdicts = set()
    for said in SAMPLES:
        tag, *fields = _unpacked(encode_message(said))
        for changed in _changed_everywhere(tuple(fields)):
            payload = codec.pack((tag, *_items(changed)))
            ours = _hears(payload, said)
            assert _fits_message(payload, said) == ours, changed
            verdicts.add(ours)

    assert verdicts == {True, False}


def test_the_file_and_the_code_refuse_the_same_records(room: Room) -> None:
    told = {_unpacked(stored.public)[3]: stored for stored in room.log}
    verdicts = []
    # What has more rules than its types, a tile's drawing for example, is not told by the file.
    more = {k["tag"] for k in TYPES.file["events"] if k.get("has_more_rules")} | {"se/tile_placed"}
    for tag in sorted(told.keys() - more):
        for shown in _forgeries(room.room_id, told[tag], random.Random(tag)):
            ours = _reads(room.room_id, shown)
            assert _fits_record(shown) == ours, _unpacked(shown.public)
            verdicts.append(ours)

    assert len(told) > 40
    assert 0.05 < verdicts.count(False) / len(verdicts) < 0.95


SETTINGS = (True, 0, True, False)
OPENED = ("room", "second_edition", "core/one", b"h" * 32)
ASKED: tuple[codec.Plain, ...] = (0, "TURN-2", ("about/turn", (), "text"), "each", (), (0,))
EARLIER: dict[str, tuple[codec.Plain, ...]] = {
    "room_opened": (*OPENED, SETTINGS),
    "room_opened/2": (*OPENED, (*SETTINGS, True, 0)),
    "room_opened/3": (*OPENED, (*SETTINGS, True, 0), 2, None),
    "room_opened/4": (*OPENED, (*SETTINGS, True, 0, False, 10), 2, None),
    "room_opened/5": (*OPENED, (*SETTINGS, True, 0, False, 10, ()), 2, None),
    "room_opened/6": (*OPENED, (*SETTINGS, True, 0, False, 10, (), False), 2, None),
    "room_opened/7": (*OPENED, (*SETTINGS, True, 0, False, 10, (), False, False), 2, None),
    "room_opened/8": (*OPENED, (*SETTINGS, True, 0, False, 10, (), False, False, True), 2, None),
    "campaign_continued": ("core/one", b"h" * 32, ("campaign/one", (4, -1))),
    "se/campaign_kept": (("campaign/one", ()),),
    "se/condition_gained": ("investigator/ada", "condition/dazed"),
    "game_started": (((0, ("ann", "bob")), (1, ())),),
    "game_started/2": (((0, "keeper", ()), (1, "animal", ("ann",))),),
    "rolled": (0, False, "test", 8, (1, 7)),
    "picked": (0, True, "deck", 4, 2),
    "shuffled": (3, False, "shuffle deck", "deck", ("h1", "h2")),
    "room_closed": ((),),
    "voted": (1, 0, "0.1"),
    "ready_set": (1, True),
    "start_requested": (0,),
    "share_opened": (1, b"s" * 32),
    "asked": ASKED,
    "asked/2": (*ASKED, (), "", 0, "all"),
}
"""Public fields of a good record of each earlier version."""
SECRETS: dict[str, codec.Plain] = {
    "shuffled": (((), b"c" * 32),),
    "asked": (((0,), b"c" * 32),),
    "asked/2": (((0,), b"c" * 32),),
}
QUESTION = (
    *(("ask/turn", (), "text"), (("0.0", ("choice/end", (), "text"), (), "rest"),), ()),
    *(1, 1, False, False, ("0.0",)),
)
"""A question in the form of the earlier version."""


def test_every_earlier_form_is_tried() -> None:
    """An added form needs an example above."""
    assert EARLIER.keys() == {form["tag"] for form in TYPES.file["earlier"]}


@pytest.mark.parametrize("tag", EARLIER)
def test_the_file_and_the_code_refuse_the_same_earlier_forms(tag: str) -> None:
    secrets = SECRETS.get(tag, ())
    good = Cut(codec.pack((0, 0, -1, tag, EARLIER[tag], secrets)), ())
    assert _reads("room", good)
    assert _fits_record(good)

    verdicts = set()
    for changed in _changed_everywhere(EARLIER[tag]):
        if isinstance(changed, tuple):
            shown = Cut(codec.pack((0, 0, -1, tag, changed, secrets)), ())
            assert _fits_record(shown) == _reads("room", shown), changed
            verdicts.add(_reads("room", shown))
    assert False in verdicts


@pytest.mark.parametrize("tag", EARLIER)
def test_the_file_and_the_code_make_the_same_of_an_earlier_form(tag: str) -> None:
    secrets = SECRETS.get(tag, ())
    happened = read("room", Cut(codec.pack((0, 0, -1, tag, EARLIER[tag], secrets)), ())).event
    newest, values = TYPES.newest(tag, EARLIER[tag])

    assert newest == happened.tag
    assert values == {
        field.name: field.write(getattr(happened, field.name))
        for field in declared_fields(type(happened))
        if field.to is None
    }


def _asked(question: codec.Plain) -> Cut:
    opening = Opening(b"s" * 32, codec.pack(question))
    secrets = (((0,), commit("room", 0, 0, opening)),)
    return Cut(codec.pack((0, 0, -1, "asked", EARLIER["asked"], secrets)), ((0, opening),))


def test_the_file_and_the_code_refuse_the_same_secrets_of_an_earlier_form() -> None:
    verdicts = []
    for changed in (QUESTION, *_changed_everywhere(QUESTION)):
        shown = _asked(changed)
        assert _fits_record(shown) == _reads("room", shown), changed
        verdicts.append(_reads("room", shown))

    assert verdicts[0]
    assert set(verdicts) == {True, False}


def test_the_file_and_the_code_make_the_same_of_an_earlier_secret() -> None:
    asked = read("room", _asked(QUESTION)).event

    assert isinstance(asked, Asked)
    question = asked.questions[0].value
    assert [choice.ends for choice in question.choices] == [True]
    assert question.may_wait
    assert TYPES.reshaped("EarlierQuestion", QUESTION) == codec.writer(Question)(question)


def test_a_value_that_is_not_listed_is_refused() -> None:
    stream = {"name": "stream", "type": {"is": "boolean"}, "values": [[True, "setup"]]}
    old = {"tag": "old", "read_as": "new", "fields": [stream], "sets": {}}
    types = Types({**TYPES.file, "earlier": [old]})

    types.record(codec.pack((0, 0, 0, "old", (True,), ())), {})
    for bad in (False, 1, None):
        with pytest.raises(Wrong):
            types.record(codec.pack((0, 0, 0, "old", (bad,), ())), {})


@pytest.mark.parametrize(
    ("kind", "change", "what"),
    [
        (Moved, Change(("who", "to", "steps", "why")), "becomes none"),
        (Moved, Change(("who", "to"), {"steps": Kept("to")}), "or several"),
        (Split, Change(("hands",)), "secret to each"),
    ],
)
def test_an_earlier_form_that_the_file_has_no_word_for_is_refused(
    kind: type[Event], change: Change, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event, "_UPCASTS", {"test/old": (kind.tag, change)})

    with pytest.raises(TypeError, match=what):
        types_file([], {"test": [kind]})


def test_a_bound_that_the_file_has_no_word_for_is_refused() -> None:
    """A new validator must not be left out of the file unnoticed."""

    @attrs.frozen
    class Odd(Message):
        """A message with a bound of a new kind."""

        tag = "odd"
        side = SAMPLES[0].side
        number: int = attrs.field(validator=attrs.validators.in_((1, 3)))

    with pytest.raises(TypeError, match="no word"):
        types_file([Odd], {})


# Forging -----------------------------------------------------------------------------------


def _unpacked(data: bytes) -> tuple[Any, ...]:
    plain = codec.unpack(data)
    assert isinstance(plain, tuple)
    return plain


def _items(plain: codec.Plain) -> tuple[codec.Plain, ...]:
    return plain if isinstance(plain, tuple) else (plain,)


def _changed_everywhere(plain: codec.Plain) -> Iterator[codec.Plain]:
    """Yield copies of a value, each with one part replaced by a wrong one."""
    yield from (wrong for wrong in WRONG if type(wrong) is not tuple or type(plain) is tuple)
    if isinstance(plain, tuple):
        yield plain[:-1]
        yield (*plain, 0)
        yield plain[::-1]
        for at, item in enumerate(plain[:3]):
            for changed in _changed_everywhere(item):
                yield (*plain[:at], changed, *plain[at + 1 :])


def _forgeries(room_id: str, stored: Stored, rng: random.Random) -> list[Cut]:
    """Return forged copies of a record: other public fields, or another committed secret."""
    sequence, time, origin, tag, fields, secrets = _unpacked(stored.public)
    openings = everything(stored).openings
    forged = [
        Cut(codec.pack((sequence, time, origin, tag, changed, secrets)), openings)
        for changed in _changed_everywhere(fields)
        if isinstance(changed, tuple)
    ]
    for slot, opening in openings[:1]:
        for changed in _changed_everywhere(codec.unpack(opening.value)):
            new = Opening(opening.salt, codec.pack(changed))
            entry = (secrets[slot][0], commit(room_id, sequence, slot, new))
            head = (sequence, time, origin, tag, fields, (entry, *secrets[1:]))
            forged.append(Cut(codec.pack(head), ((slot, new),)))
    return rng.sample(forged, min(FORGERIES, len(forged)))


def _reads(room_id: str, shown: Cut) -> bool:
    try:
        read(room_id, shown)
    except ProtocolError:
        return False
    return True


def _fits_record(shown: Cut) -> bool:
    try:
        TYPES.record(shown.public, {slot: opening.value for slot, opening in shown.openings})
    except Wrong:
        return False
    return True


def _hears(payload: bytes, said: Message) -> bool:
    try:
        decode_message(payload, said.side)  # type: ignore[call-overload]  # either side
    except ProtocolError:
        return False
    return True


def _fits_message(payload: bytes, said: Message) -> bool:
    try:
        TYPES.message(payload, said.side.value)
    except Wrong:
        return False
    return True
