"""Forgers for step 2: the log."""

import copy

from protocol import codec
from protocol.keys import WEAK_KEYS
from tests.kit.tables.playing import signing_key
from tests.verifying.files import Plain
from tests.verifying.rules.forging import CLOCK, NOBODY, OPERATOR, ROOM, Forgery, rule

LOGS = ("toy", "cuts", "asked", "windows", "branch", "dealt", "old")
DRAWS = ("rolled/2", "picked/2", "shuffled/2", "dealt", "picked_secretly", "shuffled_some")

# Every record ------------------------------------------------------------------------------


@rule(2, "every: the room is opened again", *LOGS)
def _again(f: Forgery) -> int:
    f.need(not f.places("branched"))
    return f.again(0, f.rng.randrange(1, len(f.lines)))


@rule(2, "every: the log begins without its room", *LOGS)
def _no_room(f: Forgery) -> int:
    return f.remove(0)


@rule(2, "every: a time before that of the last record", *LOGS)
def _back(f: Forgery) -> int:
    inputs = [at for at, line in enumerate(f.lines) if at and line.public[2] != ROOM]
    at = f.rng.choice(inputs)
    f.lines[at].public[1] = max(0, f.lines[at - 1].public[1] - f.rng.choice([1, 1 << 20]))
    f.need(f.lines[at - 1].public[1])
    return at


@rule(2, "every: a consequence at another time", *LOGS)
def _later(f: Forgery) -> int:
    after = [at for at, line in enumerate(f.lines) if line.public[2] == ROOM]
    at = f.rng.choice(after)
    f.lines[at].public[1] += f.rng.choice([-1, 1, 5000])
    return at


@rule(2, "every: an input from nobody, or a consequence from somebody", *LOGS)
def _origin(f: Forgery) -> int:
    at = f.rng.randrange(len(f.lines))
    line = f.lines[at]
    line.public[2] = f.rng.choice([0, CLOCK, OPERATOR]) if line.public[2] == ROOM else ROOM
    return at


def _with_secrets(f: Forgery) -> tuple[int, int]:
    found = [at for at, line in enumerate(f.lines) if line.secrets]
    f.need(found)
    at = f.rng.choice(found)
    return at, f.rng.randrange(len(f.lines[at].secrets))


@rule(2, "every: a secret that others know", "toy", "dealt", "branch")
def _audience(f: Forgery) -> int:
    at, slot = _with_secrets(f)
    secret, seats = f.lines[at].secrets[slot], f.seats(at)
    f.need(f.lines[at].tag != "chatted")
    left = [seat for seat in seats if seat not in secret[0]]
    if left and f.rng.random() < 0.6:
        secret[0] = sorted([*secret[0], f.rng.choice(left)])
    else:
        f.need(secret[0])
        secret[0] = secret[0][1:]
    return at


@rule(2, "every: knowers that are no seats, or do not ascend", "toy", "dealt", "branch")
def _no_seats(f: Forgery) -> int:
    at, slot = _with_secrets(f)
    secret = f.lines[at].secrets[slot]
    wrong = [[*secret[0], NOBODY], [-1, *secret[0]]]
    if secret[0]:
        wrong.append([*secret[0], secret[0][-1]])
    if len(secret[0]) > 1:
        wrong.append(secret[0][::-1])
    secret[0] = f.rng.choice(wrong)
    return at


@rule(2, "every: a whole log hides a secret", "toy", "dealt", "branch", "old")
def _hidden(f: Forgery) -> int:
    return _kept_back(f)


def _kept_back(f: Forgery) -> int:
    found = [at for at, one in enumerate(f.lines) if one.openings and one.tag != "chatted"]
    f.need(found)
    at = f.rng.choice(found)
    del f.lines[at].openings[f.rng.randrange(len(f.lines[at].openings))]
    return at


@rule(2, "every: a cut hides what its viewer may know", "cuts", "asked", "lobby", "dealt cuts")
def _hidden_in_cut(f: Forgery) -> int:
    return _kept_back(f)


@rule(2, "every: a cut opens what its viewer may not know", "toy", "branch")
def _opened(f: Forgery) -> int:
    at, slot = _with_secrets(f)
    line = f.lines[at]
    f.need(any(place == slot for place, _ in line.openings))
    [mine] = [copy.deepcopy(one) for one in line.openings if one[0] == slot]
    seat = f.rng.choice([-1, *f.seats(at)])
    f.need(seat not in line.secrets[slot][0])
    end = f.rng.randrange(at, len(f.lines))
    f.need(f.lines[end].tag not in {"start_requested/2", "branched"})
    last = f.places("share_opened/2")
    f.need(end not in last)
    f.end(end, seat)
    line.openings = sorted([*line.openings, mine])
    return at


@rule(2, "every: a cut opens what was before its viewer's time", "cuts", "asked")
def _since(f: Forgery) -> int:
    found = [at for at, line in enumerate(f.lines) if line.openings]
    f.need(found)
    f.file.header[4] = found[0] + 1
    return found[0]


DISCLOSING = {
    "toy/omen_shown": ("opened",),
    "votes_shown": ("votes",),
    "room_closed/2": ("seeds",),
}


@rule(2, "every: what is disclosed is of the future, or of no secret", "toy", "questions", "branch")
def _future(f: Forgery) -> int:
    at, one = _disclosed(f)
    how = f.rng.randrange(3)
    if how == 0:
        one[0] = f.rng.choice([at, at + 1, -1, 1 << 40])
    elif how == 1:
        one[1] = f.rng.choice([-1, 40, 1 << 40])
    else:
        # A record without secrets.
        one[0] = 0
    return at


@rule(2, "every: what is disclosed does not fit", "toy", "questions", "branch")
def _unfit(f: Forgery) -> int:
    at, one = _disclosed(f)
    how = f.rng.randrange(3)
    if how == 0:
        one[2] = f.rng.choice([one[2][:-1], b"", f.rng.randbytes(32)])
    elif how == 1:
        one[3] += b"\0"
    else:
        one[3] = codec.pack(f.rng.randbytes(32))
    return at


def _disclosed(f: Forgery) -> tuple[int, Plain]:
    at = f.one(*DISCLOSING)
    [name] = DISCLOSING[f.lines[at].tag]
    value = f.get(at, name)
    f.need(value)
    return at, value if isinstance(value[0], int) else f.rng.choice(value)


@rule(2, "every: a consequence before the game", "toy", "lobby")
def _early(f: Forgery) -> int:
    first = f.places("start_requested/2") or [len(f.lines)]
    at = f.rng.randrange(1, first[0] + 1)
    what: list[Plain] = [["rested"], ["settled", 0], ["chat_set", False], ["taken_back", 3]]
    return f.insert(at, ROOM, *f.rng.choice(what))


@rule(2, "every: something comes in between where a kind is due", "toy", "branch")
def _due(f: Forgery) -> int:
    at = f.one("seeds_committed", "game_started/3", "branch_started")
    if f.rng.random() < 0.5:
        f.need(at + 1 < len(f.lines))
        return f.remove(at)
    return f.insert(at, 0, "presence_changed", 0, True)


@rule(2, "every: something follows the end", "toy", "dealt", "branch", "old")
def _after_the_end(f: Forgery) -> int:
    [end] = f.places("room_closed/2", "room_closed")
    at = f.rng.randrange(end + 1, len(f.lines) + 1)
    what: tuple[object, ...] = f.rng.choice(
        [
            (0, "consented", 0, 0, True),
            (ROOM, "rested"),
            (CLOCK, "timed_out", 1),
            (0, "role_claimed", 0, "x"),
            (0, "paused_set", False),
        ]
    )
    return f.insert(at, *what)  # type: ignore[arg-type]  # an origin and a tag first


# The room and its seats --------------------------------------------------------------------


@rule(2, "room_opened: another room than the header's", "toy", "lobby", "branch")
def _other_room(f: Forgery) -> int:
    return f.put(0, "room_id", f.rng.choice(["another", "", "0"]))


@rule(2, "room_opened: a version that there is not", "toy", "lobby")
def _version(f: Forgery) -> int:
    return f.put(0, "version", f.rng.choice([4, 5, 1 << 53]))


@rule(2, "room_opened: a source of version 1", "branch")
def _old_source(f: Forgery) -> int:
    return f.put(0, "version", 1)


@rule(2, "room_opened: its own source", "branch", "branch cuts")
def _own_source(f: Forgery) -> int:
    f.get(0, "source")[0] = f.file.header[1]
    return 0


@rule(2, "seat_taken: a seat that somebody has", "toy", "lobby", "old")
def _lap(f: Forgery) -> int:
    at = f.one("seat_taken")
    f.again(at, at + 1)
    f.put(at + 1, "key", f.rng.randbytes(32))
    return at + 1


@rule(2, "seat_left: a seat that nobody has", "lobby")
def _nobody_leaves(f: Forgery) -> int:
    return _of_nobody(f, "seat_left")


@rule(2, "seat_emptied: a seat that nobody has", "lobby")
def _nobody_emptied(f: Forgery) -> int:
    return _of_nobody(f, "seat_emptied")


@rule(2, "pieces_claimed: a seat that nobody has", "lobby")
def _nobody_claims(f: Forgery) -> int:
    return _of_nobody(f, "pieces_claimed", [])


@rule(2, "role_claimed: a seat that nobody has", "lobby")
def _nobody_plays(f: Forgery) -> int:
    return _of_nobody(f, "role_claimed", "x")


def _of_nobody(f: Forgery, tag: str, *more: object) -> int:
    at = f.any_after("seat_taken")
    return f.insert(at, NOBODY, tag, NOBODY, *more)


def _in_the_game(tag: str, *fields: object) -> None:
    @rule(2, f"{tag}: in the game", "toy", "asked")
    def _late(f: Forgery) -> int:
        at = f.any_after("game_started/3")
        end = f.places("room_closed/2") or [len(f.lines)]
        f.need(at <= end[0])
        return f.insert(at, 0, tag, *fields)


_in_the_game("seat_taken", 5, "Zoe", b"z" * 32, False)
_in_the_game("seat_left", 0)
_in_the_game("seat_emptied", 0)
_in_the_game("pieces_claimed", 0, ["x"])
_in_the_game("role_claimed", 0, "x")
_in_the_game("setup_fixed", None)
_in_the_game("share_committed", 0, b"c" * 32)
_in_the_game("share_opened/2", 0, b"c" * 32, 1, b"", b"s" * 64)
_in_the_game("start_failed", [0])
_in_the_game("start_requested/2", 0, 9, b"s" * 64)


@rule(2, "prepared: after the start", "toy")
def _prepared_late(f: Forgery) -> int:
    return _of_a_seat_late(f, "prepared")


@rule(2, "brought_along: after the start", "toy")
def _brought_late(f: Forgery) -> int:
    return _of_a_seat_late(f, "brought_along")


def _of_a_seat_late(f: Forgery, tag: str) -> int:
    at = f.any_after("game_started/3")
    [end] = f.places("room_closed/2")
    f.need(at <= end)
    f.insert(at, 0, tag, 0)
    f.lines[at].public[5] = [[[0], b"c" * 32]]
    f.lines[at].openings = [[0, [b"s" * 32, codec.pack((b"x" * 4096,))]]]
    return at


@rule(2, "setup_fixed: in a log of version 1", "old")
def _old_setup(f: Forgery) -> int:
    first = f.places("start_requested")[0]
    return f.insert(f.rng.randrange(1, first + 1), 0, "setup_fixed", None)


# What seats sign ---------------------------------------------------------------------------


@rule(2, "ready_set/2: not signed by the seat", "toy", "lobby")
def _unsigned(f: Forgery) -> int:
    at = f.one("ready_set/2")
    other = f.rng.choice([b"", f.rng.randbytes(64), signing_key(5).sign(b"something else")])
    return f.put(at, "signature", other)


@rule(2, "ready_set/2: signed for something else", "toy", "lobby")
def _other_statement(f: Forgery) -> int:
    at = f.one("ready_set/2")
    return f.put(at, "is_ready", not f.get(at, "is_ready"))


@rule(2, "ready_set/2: a number that was signed before", "toy")
def _number(f: Forgery) -> int:
    at = f.one("ready_set/2")
    mine = [n for n in f.places("ready_set/2") if n < at and f.get(n, "seat") == f.get(at, "seat")]
    before = max([f.get(n, "number") for n in mine], default=0)
    f.put(at, "number", f.rng.choice([before, 0]))
    f.sign_statements()
    return at


@rule(2, "ready_set/2: the server says that a seat is ready", "toy", "lobby")
def _by_the_server(f: Forgery) -> int:
    at = f.one("ready_set/2")
    f.lines[at].public[2] = CLOCK
    how = f.rng.randrange(3)
    if how == 0:
        f.lines[at].fields[1:] = [True, 0, b""]
    elif how == 1:
        f.lines[at].fields[1:] = [False, 1, b""]
    else:
        f.lines[at].fields[1:] = [False, 0, b"x"]
    return at


@rule(2, "ready_set/2: a seat that nobody has", "toy", "lobby")
def _nobody_ready(f: Forgery) -> int:
    at = f.one("ready_set/2")
    return f.put(at, "seat", NOBODY)


@rule(2, "ready_set/2: a signature in a log where nobody signs", "version 2")
def _signed_too_early(f: Forgery) -> int:
    line = f.lines[at := f.one("ready_set")]
    line.public[3] = "ready_set/2"
    line.fields.extend(f.rng.choice([[1, b""], [0, b"s" * 64]]))
    return at


@rule(2, "ready_set/2: a seat with a weak key", "toy", "lobby")
def _weak(f: Forgery) -> int:
    at = f.one("seat_taken")
    f.put(at, "key", f.rng.choice(WEAK_KEYS))
    seat = f.get(at, "seat")
    return next(n for n in f.places("ready_set/2") if f.get(n, "seat") == seat)


@rule(2, "start_requested/2: not signed by the seat", "toy")
def _start_unsigned(f: Forgery) -> int:
    at = f.one("start_requested/2")
    return f.put(at, "signature", f.rng.choice([b"", f.rng.randbytes(64)]))


@rule(2, "start_requested/2: a number that was signed before", "toy")
def _start_number(f: Forgery) -> int:
    at = f.one("start_requested/2")
    f.put(at, "number", f.rng.choice([0, 1]))
    f.sign_statements()
    return at


@rule(2, "start_requested/2: a seat that nobody has", "toy")
def _start_of_nobody(f: Forgery) -> int:
    return f.put(f.one("start_requested/2"), "seat", NOBODY)


# The ceremony ------------------------------------------------------------------------------


@rule(2, "seeds_committed: no start calls for it", "toy", "old")
def _seeds(f: Forgery) -> int:
    again = f.one("seeds_committed")
    at = f.rng.randrange(1, len(f.lines))
    f.need(f.lines[at - 1].tag not in {"start_requested", "start_requested/2"})
    return f.again(again, at)


@rule(2, "seeds_committed: a seed of another length", "toy", "dealt")
def _seed_length(f: Forgery) -> int:
    at = f.one("seeds_committed")
    slot = f.rng.randrange(2)
    empty = not f.opened(at, slot)
    return f.put_opened(at, b"x" * f.rng.choice([32, 1] if empty else [31, 33, 0]), slot)


@rule(2, "share_committed: once more", "toy")
def _committed_again(f: Forgery) -> int:
    at = f.one("share_committed")
    f.again(at, at + 1)
    f.put(at + 1, "commitment", f.rng.randbytes(32))
    return at + 1


@rule(2, "share_committed: by a seat that nobody has", "toy")
def _committed_by_nobody(f: Forgery) -> int:
    return f.put(f.one("share_committed"), "seat", NOBODY)


@rule(2, "share_committed: a copy of another seat's", "toy")
def _copied(f: Forgery) -> int:
    at = f.one("share_committed")
    f.need(f.lines[at - 1].tag == "share_committed")
    return f.put(at, "commitment", f.get(at - 1, "commitment"))


@rule(2, "share_opened/2: before all have committed", "toy", "dealt")
def _opened_early(f: Forgery) -> int:
    at = f.one("share_committed")
    f.need(f.lines[at + 1].tag == "share_opened/2")
    f.lines[at], f.lines[at + 1] = f.lines[at + 1], f.lines[at]
    times = sorted(line.public[1] for line in f.lines[at : at + 2])
    for line, time in zip(f.lines[at : at + 2], times, strict=True):
        line.public[1] = time
    return at


@rule(2, "share_opened/2: twice by one seat", "toy", "dealt")
def _opened_twice(f: Forgery) -> int:
    at = f.one("share_opened/2")
    f.need(f.lines[at + 1].tag == "share_opened/2")
    return f.again(at, at + 1)


@rule(2, "share_opened/2: another than was committed to", "toy", "dealt")
def _other_share(f: Forgery) -> int:
    return f.put(f.one("share_opened/2"), "share", f.rng.randbytes(32))


@rule(2, "share_opened/2: not signed by the seat", "toy")
def _share_unsigned(f: Forgery) -> int:
    at = f.one("share_opened/2")
    return f.put(at, "signature", f.rng.choice([b"", f.rng.randbytes(64)]))


@rule(2, "share_opened/2: another start before it than the last", "toy")
def _other_before(f: Forgery) -> int:
    at = f.one("share_opened/2")
    f.put(at, "before", f.rng.choice([b"", f.rng.randbytes(32)]))
    f.sign_shares()
    return at


@rule(2, "share_opened/2: a number that was signed before", "toy")
def _share_number(f: Forgery) -> int:
    at = f.one("share_opened/2")
    earlier = [
        f.get(n, "number")
        for n in f.places("share_opened/2")
        if n < at and f.get(n, "seat") == f.get(at, "seat")
    ]
    f.put(at, "number", f.rng.choice([0, *earlier]))
    f.sign_shares()
    return at


@rule(2, "share_opened/2: two numbers of one key in one start", "branch")
def _two_numbers(f: Forgery) -> int:
    at = _of_branch(f)
    how = f.rng.choice([("number", 2), ("before", b"b" * 32)])
    f.put(at, *how)
    f.sign_shares()
    return at


@rule(2, "share_opened/2: signed by the seat's own key in a branch", "branch")
def _own_key_in_branch(f: Forgery) -> int:
    at = _of_branch(f)
    return f.put(at, "signature", signing_key(f.get(at, "seat")).sign(b"an opening"))


def _of_branch(f: Forgery) -> int:
    """Return the place of an opened share in the ceremony of a branch, but not the first."""
    [branched] = f.places("branched")
    _, *found = [n for n in f.places("share_opened/2") if n > branched]
    f.need(found)
    at: int = f.rng.choice(found)
    return at


@rule(2, "ready_set/2: signed for the branch, and not its source", "branch")
def _ready_in_branch(f: Forgery) -> int:
    f.sign_statements()
    return f.places("ready_set/2")[0]


@rule(2, "share_opened/2: signed in a log where nobody signs", "version 2")
def _share_signed_too_early(f: Forgery) -> int:
    # Those of a source, which are not checked, are of the source's own start.
    line = f.lines[at := f.one("share_opened")]
    f.need(not f.places("branched"))
    line.public[3] = "share_opened/2"
    line.fields.extend(f.rng.choice([[1, b"", b""], [0, b"b" * 32, b""], [0, b"", b"s" * 64]]))
    return at


@rule(2, "seeds_committed: a seed of another length in an older log", "version 2")
def _old_seed_length(f: Forgery) -> int:
    at = f.one("seeds_committed")
    return f.put_opened(at, b"x" * f.rng.choice([31, 33, 0]), f.rng.randrange(2))


@rule(2, "game_started/3: before all shares are open", "toy", "dealt")
def _started_early(f: Forgery) -> int:
    at = f.one("game_started/3")
    f.remove(at - 1)
    f.lines[at - 1].public[1] = f.lines[at - 2].public[1]
    return at - 1


@rule(2, "game_started/3: others than the seats", "toy", "dealt")
def _others(f: Forgery) -> int:
    at = f.one("game_started/3")
    players = f.get(at, "players")
    how = f.rng.randrange(4)
    if how == 0:
        players.append([NOBODY, players[0][1], []])
    elif how == 1:
        players[0][2] = ["somebody"]
    elif how == 2:
        f.need(len(players) > 1)
        players[0][1] = "another-role"
    else:
        del players[-1]
    return at


# Branches ----------------------------------------------------------------------------------


@rule(2, "branched: elsewhere than the log says", "branch cuts")
def _elsewhere(f: Forgery) -> int:
    source = f.get(0, "source")
    by = f.rng.choice([-1, 1])
    source[2] += by
    [at] = f.places("branched")
    return at + min(by, 0)


@rule(2, "branched: behind no checkpoint", "branch cuts")
def _no_checkpoint(f: Forgery) -> int:
    [at] = f.places("branched")
    f.insert(at, ROOM, "chat_set", True)
    f.get(0, "source")[2] += 1
    return at + 1


@rule(2, "branched: a seat that nobody has", "branch cuts")
def _branch_of_nobody(f: Forgery) -> int:
    return f.put(f.one("branched"), "seat", NOBODY)


@rule(2, "branched: of a log that is not published", "branch cuts")
def _unpublished(f: Forgery) -> int:
    settings = f.get(0, "settings")
    settings[3] = False
    return f.one("branched")


@rule(2, "branched: other seeds than the source's", "branch cuts")
def _branch_seeds(f: Forgery) -> int:
    at = f.one("branched")
    seeds = f.get(at, "seeds")
    how = f.rng.randrange(5)
    if how == 0:
        seeds.reverse()
        _unkeyed(f)
    elif how == 1:
        del seeds[f.rng.randrange(2)]
    elif how == 2:
        seeds.append(seeds[0])
    elif how == 3:
        seeds[f.rng.randrange(2)][3] = codec.pack(7)
    else:
        seeds[f.rng.randrange(2)][f.rng.randrange(2)] += 1
        _unkeyed(f)
    return at


def _unkeyed(f: Forgery) -> None:
    """Hide all secrets, so that no draw before the branch can be computed from its seeds."""
    f.need(not {"rolled/2", "picked/2"} & {line.tag for line in f.lines})
    for line in f.lines:
        line.openings = []
    f.file.header[3] = -1


@rule(2, "branched: a setup where none was fixed", "branch cuts")
def _branch_setup(f: Forgery) -> int:
    return f.put(f.one("branched"), "setup", [b"s" * 32, b"t" * 32])


@rule(2, "branch_started: in a game of its own", "toy")
def _no_branch(f: Forgery) -> int:
    at = f.one("game_started/3")
    f.lines[at].public[3:6] = ["branch_started", [], []]
    return at


# Draws -------------------------------------------------------------------------------------


@rule(2, "rolled/2: dice that there are not", "toy", "dealt")
def _sides(f: Forgery) -> int:
    return f.put(f.one("rolled/2"), "sides", f.rng.choice([0, -1, (1 << 32) + 1]))


@rule(2, "rolled/2: a face that the dice do not have", "toy", "dealt")
def _face(f: Forgery) -> int:
    at = f.one("rolled/2")
    faces = f.get(at, "faces")
    f.need(faces)
    faces[f.rng.randrange(len(faces))] = f.rng.choice([-1, f.get(at, "sides")])
    return at


@rule(2, "rolled/2: another face than the seed says", "toy", "dealt")
def _turned(f: Forgery) -> int:
    at = f.one("rolled/2")
    faces, sides = f.get(at, "faces"), f.get(at, "sides")
    f.need(faces and sides > 1)
    place = f.rng.randrange(len(faces))
    faces[place] = (faces[place] + f.rng.randrange(1, sides)) % sides
    return at


@rule(2, "picked/2: a bound or a result that cannot be", "toy", "branch")
def _bound(f: Forgery) -> int:
    at = f.one("picked/2")
    bound = f.get(at, "bound")
    wrong = [("bound", 0), ("bound", (1 << 32) + 1), ("result", bound), ("result", -1)]
    return f.put(at, *f.rng.choice(wrong))


@rule(2, "picked/2: another result than the seed says", "toy", "branch")
def _other_pick(f: Forgery) -> int:
    at = f.one("picked/2")
    bound = f.get(at, "bound")
    f.need(bound > 1)
    return f.put(at, "result", (f.get(at, "result") + f.rng.randrange(1, bound)) % bound)


@rule(2, "picked_secretly: another result than the seed says", "dealt")
def _other_secret_pick(f: Forgery) -> int:
    at = f.one("picked_secretly")
    bound, result = f.opened(at)
    wrong = [[0, 0], [bound, bound], [bound, (result + 1) % bound], [(1 << 32) + 1, result]]
    return f.put_opened(at, f.rng.choice(wrong))


@rule(2, "dealt: options that do not ascend", "dealt")
def _options(f: Forgery) -> int:
    at = f.one("dealt")
    options, result = f.opened(at)
    wrong = [options[::-1], [*options, options[-1]], [options[0], *options]]
    return f.put_opened(at, [f.rng.choice(wrong), result])


@rule(2, "dealt: another option than the seed says", "dealt")
def _other_deal(f: Forgery) -> int:
    at = f.one("dealt")
    options, result = f.opened(at)
    left = [option for option in options if option != result]
    return f.put_opened(at, [options, f.rng.choice([*left, "nothing"])])


@rule(2, "shuffled/2: another order than the seed says", "toy", "dealt", "branch")
def _stacked(f: Forgery) -> int:
    at = f.one("shuffled/2")
    order = f.opened(at)
    f.need(len({*order}) > 1)
    return f.put_opened(at, f.rng.sample(order, len(order)))


@rule(2, "shuffled/2: not as many cards as handles", "toy", "dealt")
def _missing_card(f: Forgery) -> int:
    at = f.one("shuffled/2")
    handles = f.get(at, "handles")
    f.need(handles)
    handles.append(f.rng.randbytes(8).hex())
    return at


@rule(2, "shuffled/2: a purpose of another pile", "toy", "dealt")
def _purpose(f: Forgery) -> int:
    at = f.one("shuffled/2", "shuffled_some")
    return f.put(at, "pile", f.get(at, "pile") + f.rng.choice(["x", "/0"]))


@rule(2, "shuffled/2: a handle that stood for another card", "toy", "dealt", "branch")
def _old_handle(f: Forgery) -> int:
    return _used_again(f, "shuffled/2")


@rule(2, "shuffled_some: a handle that stood for another card", "hands")
def _old_handle_of_some(f: Forgery) -> int:
    return _used_again(f, "shuffled_some")


@rule(2, "arranged: a handle that stood for another card", "hands")
def _old_handle_arranged(f: Forgery) -> int:
    return _used_again(f, "arranged")


def _used_again(f: Forgery, tag: str) -> int:
    at = f.one(tag)
    handles = f.get(at, "handles")
    f.need(len(handles) > 1)
    old = [n for n in f.places("shuffled/2") if n < at and f.get(n, "handles")]
    handles[0] = f.get(f.rng.choice(old), "handles")[0] if old else handles[1]
    return at


@rule(2, "shuffled_some: another order than the seed says", "hands")
def _some_stacked(f: Forgery) -> int:
    at = f.one("shuffled_some")
    order = f.opened(at)
    f.need(len({*order}) > 1)
    return f.put_opened(at, f.rng.sample(order, len(order)))


@rule(2, "every: a draw with the number of another", *LOGS)
def _draw_number(f: Forgery) -> int:
    at = f.one(*DRAWS)
    return f.put(at, "number", f.get(at, "number") + f.rng.choice([-1, 1, 1000]))


@rule(2, "every: a draw that comes twice", "toy", "dealt")
def _draw_twice(f: Forgery) -> int:
    at = f.one("rolled/2", "picked/2")
    f.need(f.lines[at].tag == "rolled/2" or f.lines[at + 1].tag != "settled")
    return f.again(at, at + 1)


@rule(2, "every: a draw for another purpose", "toy", "dealt", "branch")
def _other_purpose(f: Forgery) -> int:
    """
    Change the purpose of a draw.

    The counter of the new purpose has another number, or its stream gives another outcome.
    """
    at = f.one("rolled/2", "picked/2")
    f.need(f.get(at, "number"))
    return f.put(at, "purpose", f.get(at, "purpose") + " again")


@rule(2, "every: a stream that logs of version 1 do not have", "old")
def _old_deal(f: Forgery) -> int:
    at = f.one("rolled", "picked")
    line = f.lines[at]
    number, _is_setup, *rest = line.fields
    line.public[3] += "/2"
    line.public[4] = ["deal", number, *rest]
    return at


# The end -----------------------------------------------------------------------------------


def _operator_in_the_lobby(tag: str) -> None:
    @rule(2, f"{tag}: outside of the game", "lobby")
    def _outside(f: Forgery) -> int:
        return f.insert(f.any_after("seat_taken"), OPERATOR, tag, b"why")


for _tag in ("operator_paused", "operator_resumed", "operator_closed"):
    _operator_in_the_lobby(_tag)


@rule(2, "seat_filled_knowing: outside of the game", "lobby")
def _knowing(f: Forgery) -> int:
    at = f.any_after("seat_taken")
    return f.insert(at, 1, "seat_filled_knowing", 1, "Zoe", b"z" * 32)


@rule(2, "room_closed/2: other seeds than the game's", "toy", "dealt", "branch")
def _other_seeds(f: Forgery) -> int:
    at = f.one("room_closed/2")
    seeds = f.get(at, "seeds")
    how = f.rng.randrange(4)
    if how == 0 and len(seeds) > 1:
        seeds.reverse()
    elif how == 1:
        del seeds[-1]
    elif how == 2:
        seeds.append(copy.deepcopy(seeds[0]))
    else:
        seeds.clear()
    return at


@rule(2, "room_closed/2: seeds although the log is not published", "toy", "dealt")
def _seeds_told(f: Forgery) -> int:
    f.get(0, "settings")[3] = False
    return f.one("room_closed/2")


@rule(2, "setup_opened: another setup than the fixed one", "dealt")
def _other_setup(f: Forgery) -> int:
    at = f.one("setup_opened")
    # Its draws are then of no seed, in a whole log: the first one is named.
    f.put(at, f.rng.choice(["salt", "seed"]), f.rng.randbytes(32))
    return next(
        n
        for n, line in enumerate(f.lines)
        if line.tag in DRAWS and (line.tag == "dealt" or line.fields[0] != "play")
    )


@rule(2, "setup_opened: twice, or where none is fixed", "dealt", "toy")
def _setup_again(f: Forgery) -> int:
    f.lines.append(copy.deepcopy(f.lines[-1]))
    at = len(f.lines) - 1
    f.lines[at].public[2:6] = [CLOCK, "setup_opened", [b"s" * 32, b"t" * 32], []]
    f.lines[at].openings = []
    return at


@rule(2, "setup_opened: before the end", "dealt cuts", "asked")
def _setup_early(f: Forgery) -> int:
    at = f.any_after("game_started/3")
    end = f.places("room_closed/2") or [len(f.lines)]
    f.need(at <= end[0])
    return f.insert(at, CLOCK, "setup_opened", b"s" * 32, b"t" * 32)


@rule(2, "every: a whole log of a game that is not over", "toy", "dealt", "old")
def _unfinished(f: Forgery) -> int:
    # The seed of a fixed setup is told behind the end alone.
    f.need(not f.places("setup_opened"))
    [end] = f.places("room_closed/2", "room_closed")
    at = f.rng.randrange(1, end)
    f.need(f.lines[at - 1].tag not in {"start_requested", "start_requested/2"})
    shares = f.places("share_opened/2", "share_opened")
    f.need(at - 1 not in shares)
    del f.lines[at:]
    f.need("room_closed" not in {line.tag for line in f.lines})
    # Of a log of version 1 the seeds are only told at its end.
    drawn = {line.tag.split("/")[0] for line in f.lines} & {"rolled", "picked", "shuffled"}
    f.need(not drawn or f.places("seeds_committed"))
    return at


@rule(2, "every: a log that ends where a kind is due", "toy", "branch")
def _ends_in_batch(f: Forgery) -> int:
    at = f.one("seeds_committed", "game_started/3", "branch_started")
    return f.end(at - 1) + 1


@rule(2, "every: a log that ends among the records of its source", "branch cuts")
def _ends_in_source(f: Forgery) -> int:
    last = f.get(0, "source")[2]
    lobby = [at for at in range(1, last) if f.lines[at - 1].tag in {"ready_set/2", "seat_taken"}]
    at: int = f.rng.choice([last + 1, *lobby])
    f.end(at - 1, f.file.header[3])
    return at
