"""Forgers for step 3: the table."""

import hashlib

from protocol import codec
from tests.verifying.files import Plain
from tests.verifying.rules.forging import (
    CLOCK,
    NOBODY,
    OPERATOR,
    ROOM,
    Forgery,
    kind_of,
    rule,
)

GAMES = ("toy", "asked")
PROPOSAL = [0, "take_back", 0, 10**6, -1, "", b"", False, "", 0, []]


def _ask(f: Forgery, at: int) -> int:
    """Return the place of the question that is open before a record."""
    found = None
    for place, line in enumerate(f.lines[:at]):
        if line.tag.startswith("asked"):
            found = place
        elif line.tag in {"settled", "taken_back", "room_closed/2"}:
            found = None
    f.need(found is not None)
    assert found is not None
    return found


def _where_asked(f: Forgery, *settles: str) -> int:
    """Return the place right after a question at which the room waits."""
    found = [at for at in f.places("asked/3") if not settles or f.get(at, "settle") in settles]
    found = [at for at in found if at + 1 == len(f.lines) or f.lines[at + 1].public[2] != ROOM]
    f.need(found)
    return f.rng.choice(found) + 1


def _in_lobby(f: Forgery) -> int:
    """Return a place in the lobby, after the first seat."""
    first = f.places("seat_taken")[0]
    last = (f.places("start_requested/2") or [len(f.lines)])[0]
    return f.rng.randrange(first + 1, last + 1)


def _inserted(f: Forgery, at: int, origin: int, tag: str, *fields: Plain) -> int:
    return f.end(f.insert(at, origin, tag, *fields))


# What may follow what, and who gives it ----------------------------------------------------


@rule(3, "every: an input while what came before is not finished", "toy")
def _interrupted(f: Forgery) -> int:
    start = f.places("game_started/3")[0]
    stop = f.places("room_closed/2")[0]
    found = [
        at
        for at in range(start + 1, stop)
        if f.lines[at].public[2] == f.lines[at - 1].public[2] == ROOM
    ]
    at = f.rng.choice(found)
    return _inserted(f, at, 0, "presence_changed", 0, True)


@rule(3, "every: a log that ends inside a batch", "toy")
def _inside(f: Forgery) -> int:
    start = f.places("game_started/3")[0]
    stop = f.places("room_closed/2")[0]
    found = [at for at in range(start + 1, stop) if f.lines[at].public[2] == ROOM]
    at = f.rng.choice(found)
    return f.end(at - 1) + 1


@rule(3, "every: a consequence while a question is open", *GAMES)
def _while_open(f: Forgery) -> int:
    at = _where_asked(f)
    what: list[Plain] = [["rested"], ["chat_set", False], ["toy/weather_set", "sun"]]
    return _inserted(f, at, ROOM, *f.rng.choice(what))


@rule(3, "settled: where it is not due", *GAMES)
def _settled(f: Forgery) -> int:
    at = _where_asked(f, "each", "agree", "majority", "any_one")
    return _inserted(f, at, ROOM, "settled", f.get(at - 1, "ask_id"))


@rule(3, "seat_given: where it is not due", *GAMES)
def _given(f: Forgery) -> int:
    at = _where_asked(f)
    return _inserted(f, at, ROOM, "seat_given", 0, "New", b"k" * 32, False, True)


@rule(3, "taken_back: where it is not due", *GAMES)
def _back(f: Forgery) -> int:
    at = _where_asked(f)
    return _inserted(f, at, ROOM, "taken_back", f.rng.choice(f.places("game_started/3")))


@rule(3, "every: something else than what is due", "toy")
def _other_due(f: Forgery) -> int:
    at = f.one("settled")
    f.need(f.lines[at - 1].tag != "picked/2" or f.rng.random() < 0.3)
    f.lines[at].public[3:6] = f.rng.choice([["rested", [], []], ["chat_set", [False], []]])
    return f.end(at)


FROM_OPERATOR = {"operator_paused", "operator_resumed", "operator_closed", "agreed_for_absent"}


@rule(3, "every: an input from who cannot give it", "toy", "lobby", "windows", "questions")
def _wrong_origin(f: Forgery) -> int:
    found = [
        at
        for at, line in enumerate(f.lines)
        if line.public[2] != ROOM and line.tag not in FROM_OPERATOR
    ]
    at = f.rng.choice(found)
    line = f.lines[at]
    f.need(line.tag != "branched")
    wrong = [OPERATOR, NOBODY]
    if line.tag not in {"presence_changed", "ready_set/2", "start_failed", "timed_out"}:
        f.need(line.tag not in {"answered_together", "setup_opened"})
        wrong.append(CLOCK)
    if line.tag == "paused_set":
        wrong = [OPERATOR, NOBODY]
    line.public[2] = f.rng.choice(wrong)
    if line.tag == "start_requested/2":
        # The seeds that are due go along.
        f.end(at + 1)
        return at
    if line.tag == "share_opened/2":
        f.need(f.lines[at + 1].tag != "game_started/3")
    return f.end(at)


@rule(3, "operator_paused: from a seat", *GAMES)
def _operator_paused(f: Forgery) -> int:
    return _inserted(f, _where_asked(f), f.rng.choice([0, CLOCK]), "operator_paused", b"why")


@rule(3, "operator_closed: from a seat", *GAMES)
def _operator_closed(f: Forgery) -> int:
    return _inserted(f, _where_asked(f), f.rng.choice([0, CLOCK]), "operator_closed", b"why")


@rule(3, "operator_resumed: the operator has not paused the game", *GAMES)
def _operator_resumed(f: Forgery) -> int:
    at = _where_asked(f)
    f.need(not f.places("operator_paused"))
    return _inserted(f, at, OPERATOR, "operator_resumed", b"why")


@rule(3, "operator_paused: the operator has paused the game", *GAMES)
def _operator_paused_twice(f: Forgery) -> int:
    at = f.insert(_where_asked(f), OPERATOR, "operator_paused", b"why")
    return _inserted(f, at + 1, OPERATOR, "operator_paused", b"why")


@rule(3, "operator_closed: the game goes on", *GAMES)
def _not_closed(f: Forgery) -> int:
    at = f.insert(_where_asked(f), OPERATOR, "operator_closed", b"why")
    return _inserted(f, at + 1, 0, "presence_changed", 0, True)


@rule(3, "operator_paused: somebody answers", "toy")
def _answer_in_pause(f: Forgery) -> int:
    at = f.one("answered", "passed", "voted/2")
    return f.end(f.insert(at, OPERATOR, "operator_paused", b"why") + 1, 0)


# Seats, and what is chosen before a game ---------------------------------------------------


@rule(3, "room_opened: two observers with one fingerprint", "lobby")
def _two_observers(f: Forgery) -> int:
    f.get(0, "settings")[8] = [["A", b"f" * 32, 0], ["B", b"f" * 32, 60]]
    return 0


@rule(3, "seat_taken: a key that has a seat, or none", "toy", "lobby")
def _key_again(f: Forgery) -> int:
    at = f.one("seat_taken")
    first = f.get(f.places("seat_taken")[0], "key")
    f.put(at, "key", f.rng.choice([first, b""]))
    return f.end(at)


@rule(3, "seat_taken: a negative seat", "toy", "lobby")
def _negative(f: Forgery) -> int:
    at = f.one("seat_taken")
    f.put(at, "seat", -1)
    f.lines[at].public[2] = -4 if f.rng.random() < 0.5 else 0
    return f.end(at)


@rule(3, "seat_taken: an observer", "lobby")
def _observer(f: Forgery) -> int:
    at = f.one("seat_taken")
    fingerprint = hashlib.sha256(f.get(at, "key")).digest()
    f.get(0, "settings")[8] = [["A", fingerprint, 0]]
    return f.end(at)


@rule(3, "seat_taken: a bot that the host did not seat", "lobby")
def _bot(f: Forgery) -> int:
    at = f.one("seat_taken")
    f.need(f.get(at, "seat"))
    f.put(at, "is_bot", True)
    return f.end(at)


@rule(3, "seat_emptied: not by the host, or of a seat that withheld nothing", "lobby")
def _emptied(f: Forgery) -> int:
    at = _in_lobby(f)
    f.need(len(f.seats(at)) > 1)
    return _inserted(f, at, f.rng.choice([0, 1]), "seat_emptied", f.rng.choice([0, 1]))


CHOSEN: dict[str, list[Plain]] = {
    "scenario_chosen": ["toy/other", b"h" * 32],
    "products_switched": [["one"]],
    "campaign_continued/2": ["toy/other", b"h" * 32, ["campaign", b"x"]],
}


def _chosen(kind: str, fields: list[Plain]) -> None:
    @rule(3, f"{kind}: in the game", *GAMES)
    def _in_game(f: Forgery) -> int:
        return _inserted(f, _where_asked(f), 0, kind, *fields)

    @rule(3, f"{kind}: not by the host", "lobby")
    def _not_host(f: Forgery) -> int:
        return _inserted(f, _in_lobby(f), 1, kind, *fields)


for _kind, _fields in CHOSEN.items():
    _chosen(_kind, _fields)


@rule(3, "setup_fixed: where observers see", "lobby")
def _fixed_observed(f: Forgery) -> int:
    f.get(0, "settings")[8] = [["A", b"f" * 32, 0]]
    return _inserted(f, _in_lobby(f), 0, "setup_fixed", ["s", b"c" * 32])


@rule(3, "setup_fixed: not by the host", "lobby")
def _fixed_by_another(f: Forgery) -> int:
    return _inserted(f, _in_lobby(f), 1, "setup_fixed", None)


@rule(3, "brought_along: without a campaign", "lobby")
def _brought(f: Forgery) -> int:
    at = f.insert(_in_lobby(f), 0, "brought_along", 0)
    f.lines[at].public[5] = [[[0], b"c" * 32]]
    return f.end(at)


@rule(3, "pieces_claimed: a character twice, or another seat's", "toy", "lobby")
def _claimed(f: Forgery) -> int:
    at = f.one("pieces_claimed")
    first = f.get(f.places("pieces_claimed")[0], "characters")
    mine = f.get(at, "characters")
    f.put(at, "characters", mine + mine if at == f.places("pieces_claimed")[0] else first)
    return f.end(at)


@rule(3, "role_claimed: a role without a name", "lobby")
def _no_role(f: Forgery) -> int:
    return _inserted(f, _in_lobby(f), 0, "role_claimed", 0, "")


@rule(3, "ready_set/2: in the game", "asked")
def _ready_in_game(f: Forgery) -> int:
    return _inserted(f, _where_asked(f), CLOCK, "ready_set/2", 0, False, 0, b"")


@rule(3, "setup_accepted: where no setup is fixed", "lobby")
def _accepted(f: Forgery) -> int:
    return _inserted(f, _in_lobby(f), 0, "setup_accepted", 0)


@rule(3, "setup_accepted: twice, or in the game", "lobby")
def _accepted_twice(f: Forgery) -> int:
    at = f.insert(_in_lobby(f), 0, "setup_fixed", ["s", b"c" * 32])
    at = f.insert(at + 1, 0, "setup_accepted", 0)
    return _inserted(f, at + 1, 0, "setup_accepted", 0)


@rule(3, "presence_changed: of a seat that nobody has", "toy", "lobby", "asked")
def _presence(f: Forgery) -> int:
    at = _in_lobby(f)
    return _inserted(f, at, f.rng.choice([NOBODY, CLOCK]), "presence_changed", NOBODY, True)


def _with_host(f: Forgery, *, is_here: bool) -> int:
    """Let the host come or go while the other seat is present; return the place after that."""
    at = _in_lobby(f)
    f.need(len(f.seats(at)) > 1)
    f.insert(at, 0, "presence_changed", 0, is_here)
    f.insert(at + 1, 1, "presence_changed", 1, True)
    return at + 2


@rule(3, "host_voted: the host is here", "lobby")
def _host_here(f: Forgery) -> int:
    return _inserted(f, _with_host(f, is_here=True), 1, "host_voted", 1)


@rule(3, "host_voted: twice, or by somebody who is away", "lobby")
def _host_twice(f: Forgery) -> int:
    at = _with_host(f, is_here=False)
    if f.rng.random() < 0.5:
        return _inserted(f, at, 0, "host_voted", 0)
    f.insert(at, 1, "host_voted", 1)
    return _inserted(f, at + 1, 1, "host_voted", 1)


@rule(3, "host_passed: the host is here, or another was host", "lobby")
def _passed_here(f: Forgery) -> int:
    is_here = f.rng.random() < 0.5
    at = _with_host(f, is_here=is_here)
    return _inserted(f, at, CLOCK, "host_passed", 1, 0 if is_here else 1)


@rule(3, "host_passed: not to the longest-seated, or without a vote", "lobby")
def _passed_wrongly(f: Forgery) -> int:
    at = _with_host(f, is_here=False)
    origin, seat = f.rng.choice([(CLOCK, 0), (CLOCK, NOBODY), (0, 1)])
    return _inserted(f, at, origin, "host_passed", seat, 0)


@rule(3, "chatted: no line", "toy", "lobby")
def _talk(f: Forgery) -> int:
    at = f.one("chatted")
    seat = f.get(at, "seat")
    f.put_opened(at, f.rng.choice([b"", b"x" * 2001]))
    return f.end(at, seat)


@rule(3, "chat_set: it was so", "toy")
def _chat_set(f: Forgery) -> int:
    at = f.one("rested")
    return _inserted(f, at, ROOM, "chat_set", True)


@rule(3, "start_requested/2: somebody is not ready", "toy")
def _not_ready(f: Forgery) -> int:
    at = f.places("start_requested/2")[0]
    first = f.places("ready_set/2")[0]
    f.need(first < at)
    f.remove(first)
    f.end(at)
    return at - 1


@rule(3, "start_failed: other seats are missing", "toy")
def _missing(f: Forgery) -> int:
    at = f.one("start_failed")
    f.put(at, "missing", f.rng.choice([[NOBODY], [], [0, NOBODY]]))
    return f.end(at)


# Questions ---------------------------------------------------------------------------------


@rule(3, "asked/3: a number out of its row", *GAMES)
def _ask_id(f: Forgery) -> int:
    at = f.one("asked/3")
    f.put(at, "ask_id", f.get(at, "ask_id") + f.rng.choice([-1, 1, 9]))
    return f.end(at)


@rule(3, "asked/3: nobody is asked", *GAMES)
def _nobody_asked(f: Forgery) -> int:
    at = f.one("asked/3")
    f.put(at, "questions", [])
    f.lines[at].public[5] = []
    return f.end(at)


@rule(3, "asked/3: a vote without lots, or with others' lots", "toy", "votes", "asked")
def _lots(f: Forgery) -> int:
    at = f.one("asked/3")
    f.need(f.get(at, "settle") in {"agree", "majority"})
    f.put(at, "voters", f.rng.choice([[], [["bear", NOBODY]], [["bear", 0], ["fox", NOBODY]]]))
    return f.end(at)


@rule(3, "asked/3: a time that is not its own", *GAMES)
def _seconds(f: Forgery) -> int:
    at = f.one("asked/3")
    settle = f.get(at, "settle")
    wrong = {"unless_objected": [0, -1], "window": [0, 11]}.get(settle, [1, -1])
    f.put(at, "seconds", f.rng.choice(wrong))
    return f.end(at)


@rule(3, "asked/3: a kind where nobody can pass, or a window without", *GAMES)
def _kind_of_question(f: Forgery) -> int:
    at = f.one("asked/3")
    settle = f.get(at, "settle")
    f.need(settle not in {"first_or_all_pass", "unless_objected"})
    f.put(at, "kind", "" if settle == "window" else "toy/other")
    return f.end(at)


@rule(3, "asked/3: hidden votes where nobody votes", *GAMES)
def _hidden_votes(f: Forgery) -> int:
    at = f.one("asked/3")
    f.need(f.get(at, "settle") not in {"agree", "majority"})
    f.put(at, "audience", "nobody")
    return f.end(at)


PROMPT, CHOICES, AT_LEAST, AT_MOST, ORDERED, DEFAULT, THEN = 0, 1, 3, 4, 5, 7, 9


@rule(3, "asked/3: two choices with one id", *GAMES)
def _one_id(f: Forgery) -> int:
    at, seat, question = _question(f)
    choices = question[CHOICES]
    f.need(len(choices) > 1)
    choices[-1][0] = choices[0][0]
    return _asked_so(f, at, seat, question)


@rule(3, "asked/3: a default that is no answer", *GAMES)
def _default(f: Forgery) -> int:
    at, seat, question = _question(f)
    question[DEFAULT] = f.rng.choice([["nothing"], ["x"] * 70])
    return _asked_so(f, at, seat, question)


@rule(3, "asked/3: further questions where not each answers", *GAMES)
def _then(f: Forgery) -> int:
    at, seat, question = _question(f)
    f.need(f.get(at, "settle") != "each")
    question[THEN] = [_further()]
    question[DEFAULT] = [*question[DEFAULT], "y"]
    return _asked_so(f, at, seat, question)


@rule(3, "asked/3: further questions that have further ones", "toy")
def _then_then(f: Forgery) -> int:
    at, seat, question = _question(f)
    f.need(f.get(at, "settle") == "each" and not question[THEN])
    question[THEN] = [[*_further()[:-1], [_further()]]]
    return _asked_so(f, at, seat, question)


def _further() -> Plain:
    text = ["toy/prompt", [], "text"]
    return [text, [["y", text, [], "", False]], [], 1, 1, False, False, ["y"], False, []]


@rule(3, "asked/3: a vote on other than one thing or a list", "toy", "votes", "asked")
def _two_things(f: Forgery) -> int:
    at, seat, question = _question(f, "agree", "majority")
    f.need(not question[ORDERED])
    question[AT_LEAST] = 0
    return _asked_so(f, at, seat, question)


@rule(3, "asked/3: not exactly one way to pass", "toy", "asked")
def _ways_to_pass(f: Forgery) -> int:
    at, seat, question = _question(f, "first_or_all_pass", "unless_objected", "window")
    for choice in question[CHOICES]:
        choice[4] = f.rng.random() < 0.5
    f.need(sum(choice[4] for choice in question[CHOICES]) != 1)
    return _asked_so(f, at, seat, question)


@rule(3, "asked/3: a default that is not to pass", "toy", "asked")
def _default_acts(f: Forgery) -> int:
    at, seat, question = _question(f, "first_or_all_pass", "unless_objected", "window")
    acts = [choice[0] for choice in question[CHOICES] if not choice[4]]
    f.need(acts)
    question[DEFAULT] = [f.rng.choice(acts)]
    return _asked_so(f, at, seat, question)


def _question(f: Forgery, *settles: str) -> tuple[int, int, Plain]:
    """Return an open question: its record, its slot, and its value."""
    found = [at for at in f.places("asked/3") if f.lines[at].openings]
    found = [at for at in found if not settles or f.get(at, "settle") in settles]
    f.need(found)
    at = f.rng.choice(found)
    slot = f.rng.choice([slot for slot, _ in f.lines[at].openings])
    return at, slot, f.opened(at, slot)


def _asked_so(f: Forgery, at: int, slot: int, question: Plain) -> int:
    f.put_opened(at, question, slot)
    return f.end(at, f.get(at, "questions")[slot])


ANSWERS = ("answered", "passed", "voted/2", "lot_wanted", "lot_called", "timed_out")


@rule(3, "answered: to a question that is not open", "toy", "questions")
def _answered_other(f: Forgery) -> int:
    return _to_another(f, "answered")


@rule(3, "passed: on a question that is not open", "toy", "questions")
def _passed_other(f: Forgery) -> int:
    return _to_another(f, "passed")


@rule(3, "voted/2: on a question that is not open", "toy", "votes", "questions")
def _voted_other(f: Forgery) -> int:
    return _to_another(f, "voted/2")


@rule(3, "timed_out: a question that is not open", "toy", "questions")
def _timed_out_other(f: Forgery) -> int:
    return _to_another(f, "timed_out")


@rule(3, "settled: a question that is not open", "toy", "questions")
def _settled_other(f: Forgery) -> int:
    return _to_another(f, "settled")


def _to_another(f: Forgery, tag: str) -> int:
    at = f.one(tag)
    f.put(at, "ask_id", f.get(at, "ask_id") + f.rng.choice([-1, 1, 99]))
    return f.end(at)


@rule(3, "answered: by a seat that is not asked", "toy")
def _answered_unasked(f: Forgery) -> int:
    at = f.one("answered")
    asked = f.get(_ask(f, at), "questions")
    left = [seat for seat in f.seats(at) if seat not in asked]
    f.need(left)
    seat = f.rng.choice(left)
    f.put(at, "seat", seat)
    f.lines[at].public[2] = seat
    f.lines[at].secrets[0][0] = [seat]
    return f.end(at)


@rule(3, "answered: twice by one seat", "toy", "questions")
def _answered_twice(f: Forgery) -> int:
    at = f.one("answered")
    f.need(f.lines[at + 1].public[2] != ROOM)
    f.again(at, at + 1)
    return f.end(at + 1, f.get(at, "seat"))


@rule(3, "answered: what was not offered", "toy", "questions")
def _not_offered(f: Forgery) -> int:
    at = f.one("answered")
    f.put_opened(at, f.rng.choice([["nothing"], [], ["a"] * 65]))
    seat = f.get(at, "seat")
    f.need(f.opened(at) or _least(f, at, seat))
    return f.end(at, seat)


def _least(f: Forgery, at: int, seat: int) -> int:
    asked = _ask(f, at)
    return int(f.opened(asked, f.get(asked, "questions").index(seat))[AT_LEAST])


@rule(3, "answered: nothing settles it", "toy")
def _not_settled(f: Forgery) -> int:
    at = f.one("answered")
    f.need(f.lines[at + 1].tag == "settled")
    f.remove(at + 1)
    return f.end(at + 1)


@rule(3, "answered: a vote that all may read", "toy", "votes", "questions")
def _sealed_vote(f: Forgery) -> int:
    at = f.one("voted/2")
    seat, ask_id, picks = f.lines[at].fields
    f.lines[at].public[3:6] = ["answered", [seat, ask_id], [[[seat], b"c" * 32]]]
    f.lines[at].openings = [[0, [b"s" * 32, codec.pack(tuple(picks))]]]
    return f.end(at, seat)


@rule(3, "passed: where answers are asked for", *GAMES)
def _pass_nowhere(f: Forgery) -> int:
    at = _where_asked(f, "each", "any_one", "agree", "majority", "window")
    seat = f.rng.choice(f.get(at - 1, "questions"))
    return _inserted(f, at, seat, "passed", seat, f.get(at - 1, "ask_id"))


@rule(3, "passed: twice by one seat", "toy", "questions")
def _passed_twice(f: Forgery) -> int:
    at = f.one("passed")
    f.need(f.lines[at + 1].public[2] != ROOM)
    f.again(at, at + 1)
    return f.end(at + 1)


@rule(3, "passed_standing: not right after the question", "questions", "toy")
def _standing_nowhere(f: Forgery) -> int:
    at = _where_asked(f, "each", "any_one", "agree", "majority")
    asked = f.get(at - 1, "questions")
    return _inserted(f, at, ROOM, "passed_standing", f.get(at - 1, "ask_id"), asked[:1])


@rule(3, "passed_standing: others than those who pass", "questions")
def _standing_others(f: Forgery) -> int:
    at = f.one("passed_standing")
    f.put(at, "seats", f.rng.choice([[], [0, 1, 2], [NOBODY]]))
    return f.end(at)


@rule(3, "answered_together: before the window's time", "windows")
def _window_early(f: Forgery) -> int:
    at = f.one("answered_together")
    asked = _ask(f, at)
    f.need(all(line.tag != "presence_changed" for line in f.lines[asked:at]))
    f.lines[at].public[1] = f.lines[asked].public[1] + 999 * f.get(asked, "seconds")
    f.need(f.lines[at].public[1] >= f.lines[at - 1].public[1])
    return f.end(at, f.file.header[3])


@rule(3, "answered_together: not by the clock", "windows")
def _window_by_a_seat(f: Forgery) -> int:
    at = f.one("answered_together")
    f.lines[at].public[2] = f.rng.choice([0, OPERATOR])
    return f.end(at)


@rule(3, "answered_together: not for all who are asked", "windows")
def _window_of_some(f: Forgery) -> int:
    at = f.one("answered_together")
    line = f.lines[at]
    f.need(len(line.fields[1]) > 1)
    line.fields[1].pop()
    line.secrets.pop()
    line.openings = [one for one in line.openings if one[0] < len(line.secrets)]
    return f.end(at, f.file.header[3])


@rule(3, "answered_together: an answer that the question does not offer", "windows")
def _window_answer(f: Forgery) -> int:
    at = f.one("answered_together")
    f.need(f.lines[at].openings)
    slot = f.lines[at].openings[0][0]
    wrong = [b"nothing".ljust(32, b"\0"), b"a\0b".ljust(32, b"\0"), b"\xff" * 32, b"\0" * 32]
    f.put_opened(at, [f.rng.choice(wrong)], slot)
    return f.end(at, f.get(at, "answers")[slot])


@rule(3, "answered: in a window", "windows", "asked")
def _answer_in_window(f: Forgery) -> int:
    at = _where_asked(f, "window")
    seat = f.rng.choice(f.get(at - 1, "questions"))
    f.insert(at, seat, "answered", seat, f.get(at - 1, "ask_id"))
    f.lines[at].public[5] = [[[seat], b"c" * 32]]
    return f.end(at)


@rule(3, "timed_out: a window", "windows", "asked")
def _window_times_out(f: Forgery) -> int:
    at = _where_asked(f, "window")
    return _inserted(f, at, CLOCK, "timed_out", f.get(at - 1, "ask_id"))


@rule(3, "timed_out: at a table without a time limit", "asked", "toy")
def _no_limit(f: Forgery) -> int:
    at = _where_asked(f, "any_one", "each", "agree", "majority", "first_or_all_pass")
    f.need(not f.get(0, "settings")[1])
    return _inserted(f, at, CLOCK, "timed_out", f.get(at - 1, "ask_id"))


@rule(3, "timed_out: before the time to object is over", "asked")
def _objection(f: Forgery) -> int:
    at = _where_asked(f, "unless_objected")
    return _inserted(f, at, CLOCK, "timed_out", f.get(at - 1, "ask_id"))


@rule(3, "standing_set: before the game", "lobby")
def _standing_early(f: Forgery) -> int:
    return _standing(f, _in_lobby(f), 0, None)


@rule(3, "standing_set: in a window that asks the seat", "asked", "windows")
def _standing_in_window(f: Forgery) -> int:
    at = _where_asked(f, "window")
    return _standing(f, at, f.rng.choice(f.get(at - 1, "questions")), [])


@rule(3, "standing_set: kinds that were not asked, or do not ascend", "toy", "asked")
def _standing_kinds(f: Forgery) -> int:
    at = _where_asked(f, "each", "any_one", "agree", "majority")
    return _standing(f, at, 0, f.rng.choice([["toy/never"], ["toy/z", "toy/a"]]))


@rule(3, "standing_set: a group that was not asked, or a pass that ends with nothing", "asked")
def _standing_groups(f: Forgery) -> int:
    at = _where_asked(f, "first_or_all_pass", "unless_objected")
    kind = f.get(at - 1, "kind")
    wrong = [["toy/never"], ["to"], [f"{kind}@"], [f"{kind}/"], ["@round"], ["toy@round", "toy/a"]]
    return _standing(f, at, 0, f.rng.choice(wrong))


@rule(3, "passes_lapsed: with nothing", "toy")
def _lapse_of_nothing(f: Forgery) -> int:
    # Before the next question nothing else is due.
    return f.end(f.insert(f.one("asked/3"), ROOM, "passes_lapsed", ""))


def _standing(f: Forgery, at: int, seat: int, kinds: Plain) -> int:
    f.insert(at, seat, "standing_set", seat)
    f.lines[at].public[5] = [[[seat], b"c" * 32]]
    f.end(at, -1 if kinds is None else seat)
    if kinds is not None:
        f.lines[at].openings = [[0, [b"s" * 32, codec.pack(tuple(kinds))]]]
    return at


@rule(3, "voted/2: what was not offered", "toy", "votes", "questions")
def _vote_not_offered(f: Forgery) -> int:
    at = f.one("voted/2")
    f.put(at, "picks", f.rng.choice([["nothing"], [], ["x", "y"]]))
    return f.end(at, f.get(at, "seat"))


@rule(3, "voted/2: where no open vote is asked for", *GAMES)
def _vote_nowhere(f: Forgery) -> int:
    at = _where_asked(f, "each", "any_one", "window", "first_or_all_pass")
    seat = f.rng.choice(f.get(at - 1, "questions"))
    return _inserted(f, at, seat, "voted/2", seat, f.get(at - 1, "ask_id"), ["x"])


@rule(3, "votes_shown: other votes than were given", "questions", "toy")
def _other_votes(f: Forgery) -> int:
    at = f.one("votes_shown")
    votes = f.get(at, "votes")
    f.need(len(votes) > 1)
    if f.rng.random() < 0.5:
        votes.reverse()
    else:
        votes.pop()
    return f.end(at)


@rule(3, "lot_called: too few want it", "votes")
def _too_few(f: Forgery) -> int:
    at = len(f.lines)
    asked = _ask(f, at)
    seat = f.rng.choice(f.get(asked, "questions"))
    return _inserted(f, at, seat, "lot_called", seat, f.get(asked, "ask_id"))


@rule(3, "lot_wanted: it is to be drawn", "votes")
def _put_off(f: Forgery) -> int:
    at = len(f.lines)
    asked = _ask(f, at)
    one, other = f.rng.sample(f.get(asked, "questions"), 2)
    f.insert(at, one, "lot_wanted", one, f.get(asked, "ask_id"))
    return _inserted(f, at + 1, other, "lot_wanted", other, f.get(asked, "ask_id"))


@rule(3, "lot_wanted: twice by one seat", "votes")
def _wanted_twice(f: Forgery) -> int:
    at = len(f.lines)
    asked = _ask(f, at)
    seat = f.rng.choice(f.get(asked, "questions"))
    f.insert(at, seat, "lot_wanted", seat, f.get(asked, "ask_id"))
    return _inserted(f, at + 1, seat, "lot_wanted", seat, f.get(asked, "ask_id"))


@rule(3, "lot_called: before all have voted", "asked", "toy")
def _lot_early(f: Forgery) -> int:
    at = _where_asked(f, "agree", "majority")
    f.need(f.get(at - 1, "audience") == "all")
    seat = f.rng.choice(f.get(at - 1, "questions"))
    tag = f.rng.choice(["lot_called", "lot_wanted"])
    return _inserted(f, at, seat, tag, seat, f.get(at - 1, "ask_id"))


@rule(3, "lot_called: no lot is drawn", "votes")
def _no_lot(f: Forgery) -> int:
    at = len(f.lines)
    asked = _ask(f, at)
    for seat in f.get(asked, "questions")[:2]:
        tag = "lot_called" if len(f.lines) > at else "lot_wanted"
        f.insert(len(f.lines), seat, tag, seat, f.get(asked, "ask_id"))
    f.need(f.lines[-1].tag == "lot_called")
    return f.end(len(f.lines) - 1) + 1


# Agreements --------------------------------------------------------------------------------


def _proposal(f: Forgery, at: int, **more: Plain) -> list[Plain]:
    fields = kind_of("proposed")["fields"][0]["type"]["name"]
    assert fields == "Proposal"
    names = ["proposal_id", "kind", "by", "checkpoint", "seat", "name", "key", "is_bot"]
    names += ["piece", "amount", "consents"]
    count = len([n for n in f.places("proposed") if n < at])
    usual = dict(zip(names, [count, "give_up", *PROPOSAL[2:]], strict=True))
    usual["checkpoint"] = -1
    return [{**usual, **more}[name] for name in names]


@rule(3, "proposed: a number out of its row", *GAMES)
def _proposal_id(f: Forgery) -> int:
    at = _where_asked(f)
    wrong = _proposal(f, at)
    wrong[0] += f.rng.choice([-1, 1, 9])
    return _inserted(f, at, 0, "proposed", wrong)


@rule(3, "proposed: consents of others", *GAMES)
def _consents(f: Forgery) -> int:
    at = _where_asked(f)
    return _inserted(f, at, 0, "proposed", _proposal(f, at, consents=[1]))


@rule(3, "proposed: to go back to no checkpoint", *GAMES)
def _nowhere(f: Forgery) -> int:
    at = _where_asked(f)
    wrong = _proposal(f, at, kind="take_back", checkpoint=f.rng.choice([at - 1, 1, 10**6]))
    return _inserted(f, at, 0, "proposed", wrong)


@rule(3, "proposed: of a kind that there is not", *GAMES)
def _no_aim(f: Forgery) -> int:
    at = _where_asked(f)
    return _inserted(f, at, 0, "proposed", _proposal(f, at, kind="cheat"))


@rule(3, "proposed: a seat of nobody, or for somebody with a seat", *GAMES)
def _gift(f: Forgery) -> int:
    at = _where_asked(f)
    first = f.get(f.places("seat_taken")[0], "key")
    f.need(not f.places("seat_given"))
    more = f.rng.choice([{"seat": NOBODY, "key": b"k" * 32}, {"seat": 0, "key": first}])
    return _inserted(f, at, 0, "proposed", _proposal(f, at, kind="give_seat", **more))


@rule(3, "proposed: before the game", "lobby")
def _proposed_early(f: Forgery) -> int:
    return _inserted(f, _in_lobby(f), 0, "proposed", _proposal(f, 0))


@rule(3, "consented: to what is not proposed", *GAMES)
def _consent(f: Forgery) -> int:
    at = _where_asked(f)
    number = len([n for n in f.places("proposed") if n < at])
    return _inserted(f, at, 0, "consented", 0, number, True)


@rule(3, "consented: by a seat that is not asked", "toy")
def _consent_unasked(f: Forgery) -> int:
    at = f.one("proposed")
    f.need(f.lines[at + 1].public[2] != ROOM)
    proposal = f.lines[at].fields[0]
    return _inserted(f, at + 1, proposal[2], "consented", proposal[2], proposal[0], True)


@rule(3, "agreed_for_absent: for others than those who are away", "absence")
def _for_others(f: Forgery) -> int:
    at = f.one("agreed_for_absent")
    f.put(at, "seats", f.rng.choice([[1], [0, 1, 2], [], [2, 1]]))
    return f.end(at)


@rule(3, "agreed_for_absent: to what is not proposed", "absence")
def _for_nothing(f: Forgery) -> int:
    at = f.one("agreed_for_absent")
    f.put(at, "proposal_id", f.rng.choice([7, -1]))
    return f.end(at)


@rule(3, "agreed_for_absent: by somebody who is away", "absence")
def _by_the_absent(f: Forgery) -> int:
    at = f.one("agreed_for_absent")
    f.lines[at].public[2] = f.rng.choice([1, 2, CLOCK])
    return f.end(at)


@rule(3, "agreed_for_absent: before a day is over", "absence")
def _same_day(f: Forgery) -> int:
    at = f.places("agreed_for_absent")[0]
    f.lines[at].public[1] = f.lines[at - 1].public[1] + f.rng.randrange(86_400_000)
    f.need(f.lines[at].public[2] >= 0)
    return f.end(at)


@rule(3, "taken_back: to another checkpoint than was agreed", "toy")
def _other_checkpoint(f: Forgery) -> int:
    at = f.one("taken_back")
    f.put(at, "checkpoint", f.rng.choice([1, f.get(at, "checkpoint") + 1]))
    return f.end(at)


@rule(3, "taken_back: nobody agreed", "toy")
def _nobody_agreed(f: Forgery) -> int:
    at = f.one("rested")
    return _inserted(f, at, ROOM, "taken_back", f.places("game_started/3")[0])


@rule(3, "corrected: nobody agreed", "toy")
def _not_agreed(f: Forgery) -> int:
    at = f.one("rested")
    return _inserted(f, at + 1, ROOM, "corrected", "bear", 3)


@rule(3, "paused_set: by a seat, or where the game goes on", *GAMES)
def _paused(f: Forgery) -> int:
    at = _where_asked(f)
    if f.rng.random() < 0.5:
        return _inserted(f, at, 0, "paused_set", True)
    return _inserted(f, at, 0, "paused_set", False)


@rule(3, "paused_set: the game does not go back", *GAMES)
def _pause_without_return(f: Forgery) -> int:
    at = f.insert(_where_asked(f), CLOCK, "paused_set", True)
    return _inserted(f, at + 1, 0, "presence_changed", 0, True)


@rule(3, "paused_set: a return to another than the last checkpoint", "toy")
def _pause_elsewhere(f: Forgery) -> int:
    at = f.insert(_where_asked(f), CLOCK, "paused_set", True)
    return _inserted(f, at + 1, ROOM, "taken_back", 1)


@rule(3, "room_closed/2: given up, closed or finished otherwise than it was", "toy")
def _how(f: Forgery) -> int:
    at = f.one("room_closed/2")
    return f.put(at, "how", f.rng.choice(["closed", "given_up"]))


@rule(3, "seat_given: another seat, owner or setting than was agreed", "toy")
def _other_gift(f: Forgery) -> int:
    at = f.one("seat_given")
    how = f.rng.randrange(3)
    if how == 0:
        f.put(at, "key", f.rng.randbytes(32))
    elif how == 1:
        f.put(at, "with_secrets", not f.get(at, "with_secrets"))
    else:
        f.put(at, "name", "Another")
    return f.end(at)


@rule(3, "seat_filled: a seat that somebody has", *GAMES)
def _filled(f: Forgery) -> int:
    at = _where_asked(f)
    return _inserted(f, at, 0, "seat_filled", 0, "Zoe", b"z" * 32)


@rule(3, "seat_filled_knowing: where no setup is fixed", *GAMES)
def _filled_knowing(f: Forgery) -> int:
    at = _where_asked(f)
    return _inserted(f, at, 0, "seat_filled_knowing", 0, "Zoe", b"z" * 32)


@rule(3, "picked/2: a lot among others than the voters", "questions")
def _lot(f: Forgery) -> int:
    found = [at for at in f.places("picked/2") if f.get(at, "purpose") == "lot"]
    at = f.rng.choice(found)
    f.need(f.lines[at + 1].tag == "settled")
    f.put(at, "bound", f.get(at, "bound") + f.rng.choice([1, 2]))
    return f.end(at)


@rule(3, "branched: nobody plays on", "branch", "branch cuts")
def _no_player(f: Forgery) -> int:
    at = f.put(f.one("branched"), "key", b"")
    # With the seeds that are due; later shares would be signed by nobody.
    f.end(at + 1, f.file.header[3])
    return at


@rule(3, "branched: not from its seat", "branch", "branch cuts")
def _branched_by_another(f: Forgery) -> int:
    at = f.one("branched")
    f.lines[at].public[2] = f.rng.choice([NOBODY, CLOCK, OPERATOR])
    return at


@rule(3, "start_failed: behind branched", "branch cuts")
def _branch_fails(f: Forgery) -> int:
    [at] = f.places("branched")
    first = next(n for n in f.places("share_committed") if n > at)
    seats = f.seats(first)
    return _inserted(f, first, CLOCK, "start_failed", seats)


@rule(3, "seat_given: in a branch", "branch cuts")
def _gift_in_branch(f: Forgery) -> int:
    [start] = f.places("branch_started")
    found = [at for at in f.places("asked/3") if at > start]
    f.need(found)
    at = f.rng.choice(found) + 1
    f.need(at == len(f.lines) or f.lines[at].public[2] != ROOM)
    gift = _proposal(f, at, kind="give_seat", seat=0, name="Zoe", key=b"z" * 32)
    return _inserted(f, at, 0, "proposed", gift)
