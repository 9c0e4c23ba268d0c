"""The outsider's table: the fold of PROTOCOL.md, sections 8 and 11, from its tables alone.

It imports nothing of ours. A `Row` has the fields of a class in the document's order; a mapping is
a dict; everything that is put into the table whole stays the array that it was on the wire.
"""

from collections.abc import Callable
from typing import Any

from tests.protocol.readers.outsider import Line, Row, Secret, decode, encode, sha

Fold = Callable[..., None]
FOLDS: dict[str, Fold] = {}
NOTHING = {
    *("chatted", "lot_called", "timed_out", "se/option_chosen"),
    *("se/votes_shown", "se/opposition_rolled"),
    *("se/told_privately", "se/harm_prevented", "se/barricade_assaulted"),
    "se/barricade_rerolled",
}
"""Tags that change nothing."""
ALL_SETTINGS = (False, 0, True, True, True, 0)


def empty_table() -> Row:
    """Return the table before the first record."""
    room = Row(room_id="", ruleset="", scenario="", content_hash=b"", products_off=())
    room["legacy"] = None
    room.update(settings=ALL_SETTINGS)
    room.update(stage="lobby", host=0, seats={}, ceremony=None, version=1)
    room.update(fixed_setup=None, opened_setup=None, play_seed=None, house_seed=None)
    room.update(draws={}, ask=None, next_ask_id=0, timer=None, next_timer_id=0, proposal=None)
    room.update(next_proposal_id=0, proposed_at=0, is_paused=False, kinds=(), standing={})
    room.update(lapsed={}, operator_reason=b"", source=None, stated={}, opened={}, host_votes=())
    room.update(is_apart=False, past_roles={})
    return Row(room=room, game=None, checkpoints={})


def empty_game() -> Row:
    """Return the table of the second edition before it is set up."""
    game = Row(
        piles={},
        hidden_cards={},
        is_chat_open=True,
        phase="setup",
        step=None,
        round_number=0,
        active=None,
    )
    game.update(actions_left=0, tiles=(), coverings=())
    game.update(investigators={}, monsters={}, next_monster=1)
    game.update(
        tokens={},
        persons={},
        features={},
        lying={},
        supply={},
        backs={},
        next_possession=1,
        objective=None,
        chapter=None,
        counters={},
        memory=(),
        timers={},
    )
    game.update(
        progress={}, puzzles={}, attempt=None, test=None, countdown=None, done=(), ending=None
    )
    game.update(legacy=None)
    return game


def fold(table: Row, line: Line) -> None:
    """Apply one record to the table, in place."""
    if line.tag in NOTHING:
        return
    part = table["game"] if line.tag.startswith("se/") else table["room"]
    FOLDS[line.tag](part, *line.fields, line=line, table=table)


def copied(thing: Any) -> Any:
    """Return copies of rows and mappings, so that a checkpoint does not change."""
    if isinstance(thing, dict):
        return type(thing)({key: copied(value) for key, value in thing.items()})
    return thing


def on(*tags: str) -> Callable[[Fold], Fold]:
    """Register a fold for tags; the fold gets the part that it changes, and the public fields."""

    def declare(function: Fold) -> Fold:
        FOLDS.update(dict.fromkeys(tags, function))
        return function

    return declare


def sets(tag: str, *names: str, **also: Any) -> None:
    """Register a fold that stores the public fields of a tag under these names."""

    def change(part: Row, *fields: Any, **_: Any) -> None:
        part.update(zip(names, fields, strict=False))
        part.update(also)

    FOLDS[tag] = change


def keep_checkpoint(table: Row, sequence: int) -> None:
    if table["game"] is not None:
        table["checkpoints"][sequence] = copied(table["game"])
        for old in sorted(table["checkpoints"])[:-64]:
            del table["checkpoints"][old]


# Section 8: the room -----------------------------------------------------------------------

sets("room_opened/9", "room_id", "ruleset", "scenario", "content_hash", "settings", "version")
sets("room_opened/2", "room_id", "ruleset", "scenario", "content_hash", "settings", version=1)
sets("settled", ask=None)
sets("paused_set", "is_paused")
sets("operator_paused", "operator_reason")
sets("operator_closed", "operator_reason")


@on("room_opened")
def _(room: Row, *fields: Any, **more: Any) -> None:
    *others, settings = fields
    rest = (False, False, False, 4, "by_calendar", False, False)
    settings = (*settings, True, 0, False, 10, (), *rest)
    FOLDS["room_opened/2"](room, *others, settings, **more)


@on("room_opened/3")
def _(room: Row, *fields: Any, **more: Any) -> None:
    *first, settings, version, source = fields
    FOLDS["room_opened/4"](room, *first, (*settings, False, 10), version, source, **more)


@on("room_opened/4")
def _(room: Row, *fields: Any, **more: Any) -> None:
    *first, settings, version, source = fields
    FOLDS["room_opened/5"](room, *first, (*settings, ()), version, source, **more)


@on("room_opened/5")
def _(room: Row, *fields: Any, **more: Any) -> None:
    *first, settings, version, source = fields
    FOLDS["room_opened/6"](room, *first, (*settings, False), version, source, **more)


@on("room_opened/6")
def _(room: Row, *fields: Any, **more: Any) -> None:
    """Open a room by an older record, without the setting that version 7 added."""
    *first, settings, version, source = fields
    FOLDS["room_opened/7"](room, *first, (*settings, False), version, source, **more)


@on("room_opened/7")
def _(room: Row, *fields: Any, **more: Any) -> None:
    """Open a room by an older record, in which bots wait for nobody."""
    *first, settings, version, source = fields
    FOLDS["room_opened/8"](room, *first, (*settings, False), version, source, **more)


@on("room_opened/8")
def _(room: Row, *fields: Any, **more: Any) -> None:
    """Open a room by an older record, in which nobody could interrupt."""
    *first, settings, version, source = fields
    settings = (*settings, 4, "by_calendar", False, False)
    FOLDS["room_opened/9"](room, *first, settings, version, source, **more)


@on("timer_opened")
def _(room: Row, timer_id: int, name: Any, seconds: int, **_: Any) -> None:
    timer = Row(timer_id=timer_id, name=name, seconds=seconds)
    room.update(timer=timer, next_timer_id=timer_id + 1)


@on("timer_closed")
def _(room: Row, *_fields: Any, **_: Any) -> None:
    room.update(timer=None)


@on("passes_lapsed")
def _(room: Row, name: str, *, line: Line, **_: Any) -> None:
    room["lapsed"] = dict(sorted({**room["lapsed"], name: line.sequence}.items()))


def note_role(room: Row, key: bytes, role: str) -> None:
    if room["is_apart"] and key:
        roles = tuple(sorted({*room["past_roles"].get(key, ()), role}))
        room["past_roles"] = dict(sorted({**room["past_roles"], key: roles}.items()))


@on("answered_together")
def _(room: Row, _ask_id: int, seats: Any, *_fields: Any, **_: Any) -> None:
    room["ask"]["answered"] = tuple(sorted({*room["ask"]["answered"], *seats}))


@on("corrected")
def _(room: Row, *_fields: Any, **_: Any) -> None:
    room.update(ask=None, proposal=None)


@on("room_closed", "room_closed/2")
def _(room: Row, _seeds: Any, how: str = "finished", **_: Any) -> None:
    room.update(stage="over", ask=None, timer=None, proposal=None)
    if how != "closed":
        room["operator_reason"] = b""


@on("operator_resumed")
def _(room: Row, _reason: bytes, **_: Any) -> None:
    room["operator_reason"] = b""


@on("setup_opened")
def _(room: Row, _salt: bytes, seed: bytes, **_: Any) -> None:
    room["opened_setup"] = seed


@on("seat_taken")
def _(room: Row, seat: int, name: str, key: bytes, is_bot: bool, line: Line, **_: Any) -> None:
    room["host"] = room["host"] if room["seats"] else seat
    new = Row(seat=seat, name=name, key=key, is_bot=is_bot, is_ready=False, is_present=False)
    new.update(role="", characters=(), since=line.sequence, withheld=0)
    new.update(prepared=None, brought=None, knows_setup=False)
    room["seats"][seat] = new


@on("seat_left", "seat_emptied")
def _(room: Row, seat: int, **_: Any) -> None:
    del room["seats"][seat]
    room["host_votes"] = tuple(vote for vote in room["host_votes"] if vote != seat)
    if room["host"] not in room["seats"] and room["seats"]:
        room.update(host=min(room["seats"]), host_votes=())
        people = [one for one in room["seats"].values() if one["key"] and not one["is_bot"]]
        people = [one for one in people if one["is_present"]] or people
        if room["version"] >= 3 and people:
            room["host"] = min(people, key=lambda one: (one["since"], one["seat"]))["seat"]


@on("host_voted")
def _(room: Row, seat: int, **_: Any) -> None:
    room["host_votes"] = tuple(sorted({*room["host_votes"], seat}))


@on("host_passed")
def _(room: Row, seat: int, _was: int, **_: Any) -> None:
    room.update(host=seat, host_votes=())


@on("scenario_chosen")
def _(room: Row, scenario: str, content_hash: bytes, **_: Any) -> None:
    room.update(scenario=scenario, content_hash=content_hash, legacy=None)
    for seat in room["seats"].values():
        seat.update(is_ready=False, brought=None)


@on("campaign_continued")
def _(room: Row, scenario: str, content_hash: bytes, legacy: Any, **more: Any) -> None:
    campaign, numbers = legacy
    packed = (campaign, encode(numbers))
    FOLDS["campaign_continued/2"](room, scenario, content_hash, packed, **more)


@on("prepared", "brought_along")
def _(room: Row, seat: int, *, line: Line, **_: Any) -> None:
    name = "prepared" if line.tag == "prepared" else "brought"
    room["seats"][seat].update({name: line.secrets[0], "is_ready": False})


@on("chat_set")
def _(_room: Row, is_open: bool, *, table: Row, **_: Any) -> None:
    table["game"]["is_chat_open"] = is_open


@on("campaign_continued/2")
def _(room: Row, scenario: str, content_hash: bytes, legacy: Any, **_: Any) -> None:
    room.update(scenario=scenario, content_hash=content_hash, legacy=legacy)
    for seat in room["seats"].values():
        seat.update(is_ready=False, brought=None)


@on("products_switched")
def _(room: Row, off: Any, **_: Any) -> None:
    room["products_off"] = off
    for seat in room["seats"].values():
        seat["is_ready"] = False


@on("pieces_claimed")
def _(room: Row, seat: int, characters: Any, **_: Any) -> None:
    room["seats"][seat].update(characters=characters, is_ready=False)


@on("role_claimed")
def _(room: Row, seat: int, role: str, **_: Any) -> None:
    room["seats"][seat].update(role=role, characters=(), is_ready=False)


@on("ready_set", "ready_set/2")
def _(room: Row, seat: int, is_ready: bool, number: int = 0, *_f: Any, **_: Any) -> None:
    room["seats"][seat]["is_ready"] = is_ready
    if number:
        room["stated"][room["seats"][seat]["key"]] = number


@on("presence_changed")
def _(room: Row, seat: int, is_present: bool, **_: Any) -> None:
    room["seats"][seat]["is_present"] = is_present


@on("start_requested", "start_requested/2")
def _(room: Row, seat: int, number: int = 0, *_f: Any, **_: Any) -> None:
    if number:
        room["stated"][room["seats"][seat]["key"]] = number
    room.update(stage="starting", ceremony=Row(commitments={}, shares={}))


@on("seeds_committed")
def _(room: Row, *, line: Line, **_: Any) -> None:
    room["play_seed"], room["house_seed"] = line.secrets


@on("share_committed", "share_opened")
def _(room: Row, seat: int, share: bytes, *_f: Any, line: Line, **_: Any) -> None:
    kind = "shares" if line.tag == "share_opened" else "commitments"
    room["ceremony"][kind][seat] = share


@on("share_opened/2")
def _(room: Row, seat: int, share: bytes, number: int, before: bytes, *_f: Any, **_: Any) -> None:
    room["ceremony"]["shares"][seat] = share
    if number:
        key, start = room["seats"][seat]["key"], start_of(room)
        last = room["opened"].get(key, Row(start=b"", on_log=0))
        on_log = last["on_log"] + (last["start"] != start)
        room["opened"][key] = Row(number=number, before=before, start=start, on_log=on_log)


def start_of(room: Row) -> bytes:
    """Return the id of the current start (section 10)."""
    seeds = [room["play_seed"].commitment, room["house_seed"].commitment]
    fixed = room["fixed_setup"]
    bound = [[*pair] for pair in sorted(room["ceremony"]["commitments"].items())]
    said = ["manse kept start 1", room["room_id"], room["version"], seeds]
    return sha(encode([*said, None if fixed is None else fixed[1], bound]))


@on("start_failed")
def _(room: Row, missing: Any, **_: Any) -> None:
    room.update(stage="lobby", ceremony=None, play_seed=None, house_seed=None)
    for seat in missing:
        room["seats"][seat]["is_ready"] = False
        room["seats"][seat]["withheld"] += 1


@on("game_started")
def _(room: Row, players: Any, **more: Any) -> None:
    FOLDS["game_started/2"](room, [(s, "investigator", c) for s, c in players], **more)


@on("game_started/2", "game_started/3")
def _(room: Row, players: Any, *apart: bool, line: Line, table: Row) -> None:
    room["is_apart"] = any(apart)
    for seat, role, _characters in players:
        room["seats"][seat]["role"] = role
        note_role(room, room["seats"][seat]["key"], role)
    table["game"] = empty_game()
    room.update(stage="playing", ceremony=None)
    keep_checkpoint(table, line.sequence)


@on("branched")
def _(room: Row, _seat: int, key: bytes, *_seeds: Any, **_: Any) -> None:
    for seat in room["seats"].values():
        seat.update(key=key, is_bot=False, is_present=False, since=0)
    _, _, along, publish, _, _, _, window, _, _, *others = room["settings"]
    room["settings"] = (False, 0, along, publish, True, 0, False, window, (), False, *others)
    room.update(stage="starting", ceremony=Row(commitments={}, shares={}))
    room.update(play_seed=None, house_seed=None, fixed_setup=None, opened_setup=None)
    room.update(ask=None, proposal=None, standing={}, is_paused=False, operator_reason=b"")
    room.update(stated={}, opened={}, timer=None, is_apart=False, past_roles={})


@on("branch_started")
def _(room: Row, *, line: Line, table: Row) -> None:
    room.update(stage="playing", ceremony=None)
    keep_checkpoint(table, line.sequence)


@on("asked", "asked/2", "asked/3")
def _(room: Row, ask_id: int, *fields: Any, line: Line, **_: Any) -> None:
    rule, about, settle, voters, seats, *more = fields
    within, kind, seconds, audience, *alone = more or ((), "", 0, "all")
    decides, timer = alone or (-1, -1)
    questions = dict(zip(seats, line.secrets, strict=True))
    ask = Row(
        ask_id=ask_id, rule=rule, about=about, settle=settle, questions=questions, voters=voters
    )
    ask.update(asked_at=line.time, answered=(), votes={}, within=within, kind=kind, seconds=seconds)
    ask.update(audience=audience, ballots={}, lot_wanted_by=(), decides=decides, timer=timer)
    room["kinds"] = tuple(sorted({*room["kinds"], *((kind,) if kind else ())}))
    room.update(ask=ask, next_ask_id=ask_id + 1)


@on("answered", "passed")
def _(room: Row, seat: int, _ask_id: int, *, line: Line, **_: Any) -> None:
    ask = room["ask"]
    ask["answered"] = tuple(sorted({*ask["answered"], seat}))
    if ask["settle"] in {"agree", "majority"}:
        ask["ballots"][seat] = line.secrets[0]


@on("passed_standing")
def _(room: Row, _ask_id: int, seats: Any, **_: Any) -> None:
    room["ask"]["answered"] = tuple(sorted({*room["ask"]["answered"], *seats}))


@on("standing_set")
def _(room: Row, seat: int, *, line: Line, **_: Any) -> None:
    room["standing"] = dict(sorted({**room["standing"], seat: line.secrets[0]}.items()))


@on("voted")
def _(room: Row, seat: int, _ask_id: int, choice_id: str, **_: Any) -> None:
    room["ask"]["votes"][seat] = (choice_id,)
    room["ask"]["lot_wanted_by"] = ()


@on("lot_wanted")
def _(room: Row, seat: int, _ask_id: int, **_: Any) -> None:
    room["ask"]["lot_wanted_by"] = tuple(sorted({*room["ask"]["lot_wanted_by"], seat}))


@on("voted/2")
def _(room: Row, seat: int, _ask_id: int, picks: Any, **_: Any) -> None:
    room["ask"]["votes"][seat] = picks
    room["ask"]["lot_wanted_by"] = ()


@on("votes_shown")
def _(room: Row, _ask_id: int, votes: Any, **_: Any) -> None:
    opened = zip(sorted(room["ask"]["ballots"]), votes, strict=True)
    room["ask"]["votes"] = {seat: decode(vote[3]) for seat, vote in opened}


@on("rested")
def _(_room: Row, *, line: Line, table: Row) -> None:
    keep_checkpoint(table, line.sequence)


@on("proposed")
def _(room: Row, proposal: Any, *, line: Line, **_: Any) -> None:
    room.update(proposal=proposal, next_proposal_id=proposal[0] + 1, proposed_at=line.time)


@on("agreed_for_absent")
def _(room: Row, _proposal_id: int, seats: Any, **_: Any) -> None:
    if room["proposal"] is not None:
        *others, consents = room["proposal"]
        room["proposal"] = (*others, tuple(sorted({*consents, *seats})))


@on("consented")
def _(room: Row, seat: int, _proposal_id: int, is_agreed: bool, **_: Any) -> None:
    if not is_agreed or room["proposal"] is None:
        room["proposal"] = None
    else:
        *others, consents = room["proposal"]
        room["proposal"] = (*others, tuple(sorted({*consents, seat})))


@on("taken_back")
def _(room: Row, to: int, *, line: Line, table: Row) -> None:
    table["game"] = copied(table["checkpoints"][to])
    table["checkpoints"] = {at: game for at, game in table["checkpoints"].items() if at <= to}
    room.update(ask=None, timer=None, proposal=None, stage="playing")
    keep_checkpoint(table, line.sequence)


@on("seat_given")
def _(room: Row, seat: int, *fields: Any, line: Line, **_: Any) -> None:
    name, key, is_bot, with_secrets = fields
    given = room["seats"][seat]
    given.update(name=name, key=key, is_bot=is_bot, is_present=False, knows_setup=False)
    given["since"] = given["since"] if with_secrets else line.sequence
    note_role(room, key, given["role"])
    room["proposal"] = None


@on("seat_filled")
def _(room: Row, seat: int, name: str, key: bytes, **_: Any) -> None:
    room["seats"][seat].update(name=name, key=key)
    note_role(room, key, room["seats"][seat]["role"])


@on("seat_filled_knowing")
def _(room: Row, seat: int, name: str, key: bytes, **_: Any) -> None:
    room["seats"][seat].update(name=name, key=key, knows_setup=True)
    note_role(room, key, room["seats"][seat]["role"])


def count(room: Row, stream: str, number: int, purpose: str) -> None:
    """Count a draw in its row."""
    room["draws"][stream if room["version"] == 1 else f"{stream} {purpose}"] = number + 1


@on("rolled", "picked")
def _(room: Row, draw: int, is_setup: bool, purpose: str, *_rest: Any, **_: Any) -> None:
    count(room, "setup" if is_setup else "play", draw, purpose)


@on("rolled/2", "picked/2", "picked_secretly")
def _(room: Row, stream: str, number: int, purpose: str, *_rest: Any, **_: Any) -> None:
    count(room, stream, number, purpose)


@on("dealt")
def _(room: Row, number: int, purpose: str, *_rest: Any, **_: Any) -> None:
    count(room, "deal", number, purpose)


@on("shuffled")
def _(room: Row, draw: int, is_setup: bool, *fields: Any, **more: Any) -> None:
    FOLDS["shuffled/2"](room, "setup" if is_setup else "play", draw, *fields, (), **more)


@on("shuffled/2")
def _(
    room: Row, stream: str, number: int, purpose: str, *fields: Any, line: Line, table: Row
) -> None:
    pile, handles, _knowers = fields
    game = table["game"]
    for handle in game["piles"].get(pile, ()):
        del game["hidden_cards"][handle]
    game["piles"][pile] = handles
    for index, handle in enumerate(handles):
        game["hidden_cards"][handle] = Row(order=line.secrets[0], index=index, looks=())
    count(room, stream, number, purpose)


@on("shuffled_some")
def _(
    room: Row, stream: str, number: int, purpose: str, *fields: Any, line: Line, table: Row
) -> None:
    pile, handles, _knowers, places = fields
    relay(table["game"], pile, places, handles, line)
    count(room, stream, number, purpose)


@on("arranged")
def _(_room: Row, pile: str, places: Any, handles: Any, *_: Any, line: Line, table: Row) -> None:
    relay(table["game"], pile, places, handles, line)


def relay(game: Row, pile: str, places: Any, handles: Any, line: Line) -> None:
    """Replace the cards at some places of a pile."""
    lying = list(game["piles"][pile])
    for index, (place, handle) in enumerate(zip(places, handles, strict=True)):
        del game["hidden_cards"][lying[place]]
        lying[place] = handle
        game["hidden_cards"][handle] = Row(order=line.secrets[0], index=index, looks=())
    game["piles"][pile] = tuple(lying)


@on("looked_at")
def _(_room: Row, pile: str, places: Any, *_: Any, line: Line, table: Row) -> None:
    game = table["game"]
    for index, place in enumerate(places):
        hidden = game["hidden_cards"][game["piles"][pile][place]]
        hidden["looks"] = (*hidden["looks"], Row(cards=line.secrets[0], index=index))


@on("setup_fixed")
def _(room: Row, setup: Any, **_: Any) -> None:
    room["fixed_setup"] = setup
    for seat in room["seats"].values():
        seat["is_ready"] = seat["knows_setup"] = False


@on("setup_accepted")
def _(room: Row, seat: int, **_: Any) -> None:
    room["seats"][seat]["knows_setup"] = True


# Section 11: the second edition ------------------------------------------------------------

sets("se/objective_set", "objective")
sets("se/chapter_began", "chapter")
sets("se/campaign_kept/2", "legacy")


@on("se/campaign_kept")
def _(game: Row, legacy: Any, **_: Any) -> None:
    campaign, numbers = legacy
    game["legacy"] = (campaign, encode(numbers))


sets("se/test_finished", test=None)
sets("se/game_ended", "ending", phase="over", step=None, active=None, actions_left=0)


@on("se/supply_laid_out")
def _(game: Row, supply: Any, **_: Any) -> None:
    game["supply"] = dict(supply)


@on("se/backs_laid_out")
def _(game: Row, backs: Any, **_: Any) -> None:
    game["backs"] = dict(backs)


@on("se/investigator_joined")
def _(game: Row, who: str, *fields: Any, **_: Any) -> None:
    seat, health, sanity, skills = fields
    new = Row(investigator_id=who, seat=seat, health=health, sanity=sanity, skills=dict(skills))
    new.update(space=None, clues=0, faceup={}, possessions=(), conditions=(), is_wounded=False)
    new.update(is_insane=False, is_eliminated=False, move_actions=0, has_taken_turn=False)
    new.update(performed=(), quenches=0, used=())
    game["investigators"][who] = new


@on("se/tile_placed")
def _(game: Row, tile: Any, **_: Any) -> None:
    game["tiles"] += (tile,)


@on("se/tile_removed")
def _(game: Row, tile: str, **_: Any) -> None:
    game["tiles"] = tuple(placed for placed in game["tiles"] if placed[0] != tile)


@on("se/covering_placed")
def _(game: Row, covering: Any, **_: Any) -> None:
    game["coverings"] += (covering,)


@on("se/covering_removed")
def _(game: Row, covering: str, **_: Any) -> None:
    game["coverings"] = tuple(placed for placed in game["coverings"] if placed[0] != covering)


@on("se/token_placed")
def _(game: Row, token: Any, **_: Any) -> None:
    game["tokens"][token[0]] = token


@on("se/person_health")
def _(game: Row, token: str, health: int, damage: int, **_: Any) -> None:
    game["persons"][token] = Row(health=health, damage=damage)


@on("se/token_moved")
def _(game: Row, token: str, at: str, **_: Any) -> None:
    game["tokens"][token]["at"] = at


@on("se/token_removed")
def _(game: Row, token: str, **_: Any) -> None:
    game["tokens"].pop(token, None)
    game["persons"].pop(token, None)


@on("se/feature_placed")
def _(game: Row, feature: Any, **_: Any) -> None:
    names = ("feature_id", "kind", "space", "against")
    game["features"][feature[0]] = Row(zip(names, feature, strict=True))


@on("se/barricade_shifted")
def _(game: Row, feature: str, against: str | None, **_: Any) -> None:
    game["features"][feature]["against"] = against


@on("se/feature_removed")
def _(game: Row, feature: str, **_: Any) -> None:
    del game["features"][feature]


@on("se/investigator_moved")
def _(game: Row, who: str, space: str | None, **_: Any) -> None:
    game["investigators"][who]["space"] = space


def _hush(game: Row) -> None:
    for monster in game["monsters"].values():
        monster["in_force"] = None


@on("se/told")
def _(game: Row, text: Any, monster: str | None, **_: Any) -> None:
    if monster in game["monsters"]:
        _hush(game)
        game["monsters"][monster]["in_force"] = text


@on("se/mythos_step_began")
def _(game: Row, step: str, **_: Any) -> None:
    _hush(game)
    game.update(step=step, done=())


@on("se/phase_began")
def _(game: Row, phase: str, round_number: int, **_: Any) -> None:
    _hush(game)
    game.update(phase=phase, round_number=round_number, step=None, active=None)
    game.update(actions_left=0, done=())
    if phase == "investigator":
        for one in game["investigators"].values():
            one.update(has_taken_turn=False, move_actions=0, used=(), performed=(), quenches=0)


@on("se/dealt_with")
def _(game: Row, item: str, **_: Any) -> None:
    _hush(game)
    game["done"] += (item,)


@on("se/turn_began")
def _(game: Row, who: str, actions: int, **_: Any) -> None:
    game.update(active=who, actions_left=actions)


@on("se/turn_ended")
def _(game: Row, who: str, **_: Any) -> None:
    _hush(game)
    game.update(active=None, actions_left=0)
    game["investigators"][who]["has_taken_turn"] = True


@on("se/action_spent")
def _(game: Row, who: str, action: str, **_: Any) -> None:
    _hush(game)
    game["actions_left"] -= 1
    game["investigators"][who]["move_actions"] += action == "move"
    game["investigators"][who]["performed"] += (action,)


@on("se/action_forfeited")
def _(game: Row, who: str, action: str, **_: Any) -> None:
    one = game["investigators"][who]
    if action in one["performed"]:
        last = max(at for at, name in enumerate(one["performed"]) if name == action)
        one["performed"] = one["performed"][:last] + one["performed"][last + 1 :]


@on("se/fire_fought")
def _(game: Row, who: str, successes: int, **_: Any) -> None:
    game["investigators"][who]["quenches"] += successes


@on("se/fire_put_out")
def _(game: Row, who: str, feature: str, **_: Any) -> None:
    del game["features"][feature]
    game["investigators"][who]["quenches"] -= 1


@on("se/actions_lost")
def _(game: Row, _who: str, count: int, **_: Any) -> None:
    game["actions_left"] -= count


@on("se/actions_gained")
def _(game: Row, _who: str, count: int, **_: Any) -> None:
    game["actions_left"] += count


@on("se/power_used")
def _(game: Row, who: str, source: str, **_: Any) -> None:
    game["investigators"][who]["used"] += (source,)


@on("se/memory_kept")
def _(game: Row, is_whole: bool, *, line: Line, **_: Any) -> None:
    kept = () if is_whole else game["memory"]
    game["memory"] = (*kept, line.secrets[0])


@on("se/counter_set")
def _(game: Row, counter: str, *, line: Line, **_: Any) -> None:
    game["counters"][counter] = line.secrets[0]


@on("se/timer_set")
def _(game: Row, timer: Any, **_: Any) -> None:
    game["timers"][timer[0]] = timer


@on("se/timer_removed")
def _(game: Row, timer: str, _has_run_out: bool, **_: Any) -> None:
    del game["timers"][timer]


@on("se/progress_kept")
def _(game: Row, test: str, total: int, **_: Any) -> None:
    game["progress"][test] = total


@on("se/test_declared")
def _(game: Row, *fields: Any, **_: Any) -> None:
    names = ("investigator", "skill", "modifier", "difficulty", "pool")
    game["test"] = Row(zip(names, fields, strict=True))
    game["test"].update(faces=(), converted=())


@on("se/dice_shown")
def _(game: Row, faces: Any, rerolled: Any, **_: Any) -> None:
    left = tuple(at for at in game["test"]["converted"] if at not in rerolled)
    game["test"].update(faces=faces, converted=left)


@on("se/dice_converted")
def _(game: Row, dice: Any, **_: Any) -> None:
    game["test"]["converted"] = tuple(sorted({*game["test"]["converted"], *dice}))


@on("se/clues_gained", "se/clues_spent")
def _(game: Row, who: str, count: int, *, line: Line, **_: Any) -> None:
    game["investigators"][who]["clues"] += count if line.tag == "se/clues_gained" else -count


@on("se/clues_given")
def _(game: Row, giver: str, receiver: str, count: int, **_: Any) -> None:
    game["investigators"][giver]["clues"] -= count
    game["investigators"][receiver]["clues"] += count


@on("se/possession_gained")
def _(game: Row, who: str, possession: Any, **_: Any) -> None:
    game["investigators"][who]["possessions"] += (possession,)
    card, copy = possession[1:3]
    if copy:
        _draw(game, f"deck/{card}", copy)
    game["supply"][card] -= 1
    game["next_possession"] += 1


def _take(owner: Any, key: Any, possession: str) -> Any:
    """Remove a possession from a list; return it."""
    found = next(one for one in owner[key] if one[0] == possession)
    owner[key] = tuple(one for one in owner[key] if one is not found)
    return found


@on("se/possession_given", "se/possession_taken")
def _(game: Row, giver: str, receiver: str, possession: str, **_: Any) -> None:
    given = _take(game["investigators"][giver], "possessions", possession)
    game["investigators"][receiver]["possessions"] += (given,)


@on("se/possession_dropped")
def _(game: Row, who: str, possession: str, space: str, **_: Any) -> None:
    dropped = _take(game["investigators"][who], "possessions", possession)
    game["lying"][space] = (*game["lying"].get(space, ()), dropped)


@on("se/possession_picked_up")
def _(game: Row, who: str, possession: str, space: str, **_: Any) -> None:
    game["investigators"][who]["possessions"] += (_take(game["lying"], space, possession),)


@on("se/possession_discarded")
def _(game: Row, who: str, possession: str, **_: Any) -> None:
    _back_to_deck(game, _take(game["investigators"][who], "possessions", possession))


@on("se/possession_flipped")
def _(game: Row, who: str, possession: str, _copy: str, turned_to: str | None, **_: Any) -> None:
    one = game["investigators"][who]
    one["possessions"] = tuple(
        (*has[:3], turned_to) if has[0] == possession else has for has in one["possessions"]
    )


@on("se/lying_discarded")
def _(game: Row, space: str, possession: str, **_: Any) -> None:
    _back_to_deck(game, _take(game["lying"], space, possession))


def _back_to_deck(game: Row, possession: Any) -> None:
    card, copy = possession[1:3]
    game["supply"][card] = game["supply"].get(card, 0) + 1
    if copy:
        _put(game, f"deck/{card}", copy)


def _draw(game: Row, pile: str, handle: str) -> None:
    game["piles"][pile] = tuple(one for one in game["piles"][pile] if one != handle)


def _put(game: Row, pile: str, handle: str) -> None:
    game["piles"][pile] = (*game["piles"].get(pile, ()), handle)


def _lay_faceup(game: Row, who: str, harm: str, shown: tuple[str, str]) -> None:
    faceup = game["investigators"][who]["faceup"]
    faceup[harm] = (*faceup.get(harm, ()), shown)


def _lift(game: Row, who: str, harm: str, handle: str) -> None:
    faceup = game["investigators"][who]["faceup"]
    faceup[harm] = tuple(shown for shown in faceup.get(harm, ()) if shown[0] != handle)


@on("se/harm_taken")
def _(game: Row, who: str, harm: str, handle: str, card: str | None, **_: Any) -> None:
    _draw(game, f"deck/{harm}", handle)
    if card is None:
        _put(game, f"facedown/{harm}/{who}", handle)
    else:
        _lay_faceup(game, who, harm, (handle, card))


@on("se/harm_turned_faceup")
def _(game: Row, who: str, harm: str, handle: str, card: str, **_: Any) -> None:
    _draw(game, f"facedown/{harm}/{who}", handle)
    _lay_faceup(game, who, harm, (handle, card))


@on("se/harm_turned_facedown")
def _(game: Row, who: str, harm: str, handle: str, **_: Any) -> None:
    _lift(game, who, harm, handle)
    _put(game, f"facedown/{harm}/{who}", handle)


@on("se/harm_discarded")
def _(game: Row, who: str, harm: str, handle: str, **_: Any) -> None:
    facedown = f"facedown/{harm}/{who}"
    if handle in game["piles"].get(facedown, ()):
        _draw(game, facedown, handle)
    else:
        _lift(game, who, harm, handle)
    _put(game, f"deck/{harm}", handle)


def _condition(game: Row, who: str, card: str, handle: str = "", back: Any = None) -> None:
    new = Row(card=card, handle=handle, back=back, turned_to=None)
    game["investigators"][who]["conditions"] += (new,)


@on("se/became_wounded")
def _(game: Row, who: str, card: str, **_: Any) -> None:
    game["investigators"][who]["is_wounded"] = True
    _condition(game, who, card)


@on("se/became_insane")
def _(game: Row, who: str, card: str, handle: str, *, line: Line, **_: Any) -> None:
    if handle:
        _draw(game, "deck/insane", handle)
    game["investigators"][who]["is_insane"] = True
    _condition(game, who, card, handle, line.secrets[0])


@on("se/condition_gained", "se/condition_gained/2")
def _(game: Row, who: str, card: str, copy: str = "", **_: Any) -> None:
    if copy:
        _draw(game, f"deck/{card}", copy)
    game["supply"][card] -= 1
    _condition(game, who, card, copy)


@on("se/condition_flipped")
def _(game: Row, who: str, _card: str, copy: str, turned_to: str | None, **_: Any) -> None:
    one = game["investigators"][who]
    # What a checkpoint holds stays as it was.
    one["conditions"] = tuple(
        Row(c, turned_to=turned_to) if c["handle"] == copy else c for c in one["conditions"]
    )


@on("se/condition_discarded")
def _(game: Row, who: str, card: str, **_: Any) -> None:
    game["supply"][card] += 1
    one = game["investigators"][who]
    for condition in one["conditions"]:
        if condition["card"] == card and condition["handle"]:
            _put(game, f"deck/{card}", condition["handle"])
    one["conditions"] = tuple(c for c in one["conditions"] if c["card"] != card)


@on("se/investigator_eliminated")
def _(game: Row, who: str, countdown: int, **_: Any) -> None:
    game["countdown"] = countdown
    game["investigators"][who].update(is_eliminated=True, space=None)


@on("se/limits_changed")
def _(game: Row, who: str, health: int, sanity: int, **_: Any) -> None:
    game["investigators"][who].update(health=health, sanity=sanity)


@on("se/countdown_stopped")
def _(game: Row, **_: Any) -> None:
    game["countdown"] = None


@on("se/monster_spawned")
def _(game: Row, monster: Any, **_: Any) -> None:
    names = ("monster_id", "kind", "number", "space", "health", "awareness", "horror_rating")
    new = Row(zip((*names, "brawn", "damage", "abilities", "in_force"), monster, strict=True))
    game["monsters"][new["monster_id"]] = new
    game["next_monster"] += 1


@on("se/monster_moved")
def _(game: Row, monster: str, space: str, **_: Any) -> None:
    game["monsters"][monster]["space"] = space


@on("se/monster_damaged")
def _(game: Row, monster: str, amount: int, **_: Any) -> None:
    game["monsters"][monster]["damage"] += amount


@on("se/monster_healed")
def _(game: Row, monster: str, amount: int, **_: Any) -> None:
    game["monsters"][monster]["damage"] -= amount


@on("se/monster_corrected")
def _(game: Row, monster: str, damage: int, **_: Any) -> None:
    game["monsters"][monster]["damage"] = damage


@on("se/monster_discarded")
def _(game: Row, monster: str, _is_defeated: bool, **_: Any) -> None:
    del game["monsters"][monster]


@on("se/code_laid_out")
def _(game: Row, puzzle: Any, **_: Any) -> None:
    names = ("puzzle_id", "length", "pieces", "guesses", "is_solved")
    game["puzzles"][puzzle[0]] = Row(zip(names, puzzle, strict=True))


@on("se/code_guessed")
def _(game: Row, puzzle: str, guess: Any, is_solved: bool, **_: Any) -> None:
    changed = _stepped(game, puzzle, is_solved)
    changed.update(guesses=(*changed["guesses"], guess))


def _stepped(game: Row, puzzle: str, is_solved: bool) -> Row:
    if game["attempt"] is not None:
        game["attempt"]["made"] += 1
    changed: Row = game["puzzles"][puzzle]
    changed.update(is_solved=is_solved)
    return changed


@on("se/attempt_began")
def _(game: Row, who: str, puzzle: str, steps: int, **_: Any) -> None:
    game["attempt"] = Row(investigator=who, puzzle=puzzle, allowed=steps, made=0)


@on("se/steps_added")
def _(game: Row, count: int, **_: Any) -> None:
    game["attempt"]["allowed"] += count


sets("se/attempt_ended", attempt=None)


@on("se/slide_laid_out")
def _(game: Row, puzzle: Any, **_: Any) -> None:
    names = ("puzzle_id", "columns", "pieces", "is_solved")
    game["puzzles"][puzzle[0]] = Row(zip(names, puzzle, strict=True))


@on("se/slide_swapped")
def _(game: Row, puzzle: str, places: Any, is_solved: bool, **_: Any) -> None:
    changed = _stepped(game, puzzle, is_solved)
    pieces = list(changed["pieces"])
    one, other = places
    pieces[one], pieces[other] = pieces[other], pieces[one]
    changed["pieces"] = tuple(pieces)


@on("se/lock_laid_out")
def _(game: Row, puzzle: Any, **_: Any) -> None:
    names = ("puzzle_id", "rows", "columns", "pieces", "is_solved")
    game["puzzles"][puzzle[0]] = Row(zip(names, puzzle, strict=True))


@on("se/lock_slid")
def _(game: Row, puzzle: str, at: int, by: int, is_solved: bool, **_: Any) -> None:
    changed = _stepped(game, puzzle, is_solved)
    pieces = list(changed["pieces"])
    row, column, length, is_upright = pieces[at]
    row, column = (row + by, column) if is_upright else (row, column + by)
    pieces[at] = (row, column, length, is_upright)
    changed["pieces"] = tuple(pieces)


@on("se/back_shown")
def _(game: Row, who: str, back: Any, card: str, **_: Any) -> None:
    sequence, slot, *_opening, value = back
    assert decode(value) == card
    one = game["investigators"][who]
    one["conditions"] = tuple(
        Row(c, back=_shown(c["back"])) if _is(c["back"], sequence, slot) else c
        for c in one["conditions"]
    )


def _is(back: Secret | None, sequence: int, slot: int) -> bool:
    return back is not None and back.ref == (sequence, slot)


def _shown(back: Secret) -> Secret:
    return Secret(back.ref, back.audience, back.commitment, back.value, is_open=True)
