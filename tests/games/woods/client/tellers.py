"""Tellers of the woods: each event in a line of the journal."""

from collections.abc import Iterable, Mapping

from client.tellers.base import EventContext, Teller, Told, Tone
from protocol.event import Event
from tests.games.woods.protocol import events as woods
from tests.games.woods.protocol.table import WoodsTable


def _clearing(at: EventContext, clearing: str) -> str:
    return at.speaker.name("clearing", clearing)


def _game(at: EventContext) -> WoodsTable:
    game = at.table.game
    assert isinstance(game, WoodsTable)
    return game


def _came(happened: woods.AnimalCame, at: EventContext) -> Iterable[Told]:
    yield Tone.ACTION, at.say("woods_came", at.who(happened.animal))


def _learnt(happened: woods.TasteLearnt, at: EventContext) -> Iterable[Told]:
    if happened.taste.is_open:
        taste = at.speaker.name("taste", happened.taste.value)
        yield Tone.GAIN, at.say("woods_taste", at.who(happened.animal), taste)


def _laid(happened: woods.SnareLaid, at: EventContext) -> Iterable[Told]:
    if happened.clearing.is_open:
        yield Tone.ACTION, at.say("woods_laid", _clearing(at, happened.clearing.value))
    else:
        yield Tone.ACTION, at.say("woods_laid_unseen")


def _moved(happened: woods.SnareMoved, at: EventContext) -> Iterable[Told]:
    if happened.clearing.is_open:
        yield Tone.ACTION, at.say("woods_moved", _clearing(at, happened.clearing.value))
    else:
        yield Tone.ACTION, at.say("woods_moved_unseen")


def _walked(happened: woods.Walked, at: EventContext) -> Iterable[Told]:
    for animal, clearing in happened.walks:
        yield Tone.ACTION, at.say("woods_walked", at.who(animal), _clearing(at, clearing))


def _shown(happened: woods.SnareShown, at: EventContext) -> Iterable[Told]:
    yield Tone.ACTION, at.say("woods_shown", _clearing(at, happened.clearing))


def _berries(happened: woods.BerriesChanged, at: EventContext) -> Iterable[Told]:
    berries = _game(at).animals[happened.animal].berries
    yield Tone.GAIN, at.say("woods_berry", at.who(happened.animal), berries)


def _fell(happened: woods.Fell, at: EventContext) -> Iterable[Told]:
    yield Tone.ACTION, at.say("woods_fell", at.who(happened.animal))


def _round_ended(_: woods.RoundEnded, at: EventContext) -> Iterable[Told]:
    yield Tone.ROUND, at.say("woods_round_ended", _game(at).round_number)


def _ended(happened: woods.Ended, at: EventContext) -> Iterable[Told]:
    yield Tone.STORY, at.say(f"woods_won_by_{happened.winner}")


TELLERS: Mapping[type[Event], Teller] = {
    woods.AnimalCame: _came,
    woods.TasteLearnt: _learnt,
    woods.SnareLaid: _laid,
    woods.SnareMoved: _moved,
    woods.Walked: _walked,
    woods.SnareShown: _shown,
    woods.BerriesChanged: _berries,
    woods.Fell: _fell,
    woods.RoundEnded: _round_ended,
    woods.Ended: _ended,
}
