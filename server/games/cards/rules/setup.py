"""Setup of a scenario, up to the first round. Section 2.2."""

from collections.abc import Mapping, Sequence

from content.games.cards.schema import decks
from content.games.cards.schema.cards import AnyCard, EnemyCard, StartingHand, TreacheryCard
from content.games.cards.schema.kinds import Keyword
from content.games.cards.schema.pack import Pack
from content.games.cards.schema.scenario import Scenario
from content.games.cards.schema.steps import IntoPlay
from protocol.common.chance import Stream
from protocol.common.text import Text
from protocol.event import hidden
from protocol.games.cards.events import (
    BagFilled,
    Change,
    DecksCounted,
    Joined,
    Laid,
    PlanMade,
    Repiled,
    RoundBegan,
    StepCame,
    Tokens,
    Told,
    Walked,
    WeaknessesDealt,
)
from protocol.games.cards.table import (
    ENCOUNTER,
    CardId,
    InvestigatorId,
    Place,
    Position,
    deck_of,
    further,
    hand_of,
)
from protocol.games.cards.words import SPECIAL, Phase, Token, Trauma, Zone, token_name
from server.games.cards.rules import (
    effects,
    face_down,
    hands,
    locations,
    targets,
    turns,
    weaknesses,
    zones,
)
from server.games.cards.rules.play import Play, Source, lead, seat
from server.kernel.asks import Option, Prompt
from server.rulekit.draws import Draws

RESOURCES = 5
"""C-BSETUP-3."""
HAND = 5
"""Cards of the starting hand. C-BSETUP-4."""
DRAWS = Draws()


async def set_up(play: Play) -> None:
    """Set the scenario up, in the order of the catalogue. C-BSETUP-1 to C-BSETUP-18, C-BROUND-2."""
    scenario = play.content.scenario
    play.emit(Told(Text(scenario.id, (), "intro")))
    for player in play.players:
        for who in player.characters:
            play.emit(Joined(who, player.seat, {}))
    await _choose_lead(play)
    level = await _choose_level(play)
    play.emit(BagFilled(level, tuple(sorted(scenario.bags[level]))))
    await play.pause()
    await _lay_story(play, level)
    await play.pause()
    await _lay_locations(play)
    await play.pause()
    for who in play.table.order:
        lay_starting_tokens(play, who)
    await effects.resolve(play, scenario.setup, Source(scenario.id, "", lead(play)))
    await _go_to_the_start(play)
    for who in play.table.order:
        await play.pause()
        _deal_weaknesses(play, who)
    _set_linked_aside(play)
    for who in play.table.order:
        await play.pause()
        _shuffle_deck(play, who)
        await _starting_hand(play, who)
    await _mulligan(play)
    play.emit(RoundBegan(1))
    turns.reset(play)
    # C-BROUND-2: the first round has no mythos phase.
    play.emit(StepCame(Phase.INVESTIGATION, 0))


async def _choose_lead(play: Play) -> None:
    """C-BSETUP-1: the players choose the lead."""
    if len(play.table.order) > 1:
        await targets.choose_lead(play, "C-BSETUP-1")


async def _choose_level(play: Play) -> str:
    """C-BBAG-1: the players choose the level of difficulty."""
    levels = tuple(play.content.scenario.bags)
    if len(levels) == 1:
        return levels[0]
    return await play.agree(
        play.table.order,
        [_level_option(level, play.content.scenario.bags[level]) for level in levels],
        rule="C-BBAG-1",
        about=Text("about/level"),
        prompt=Text("ask/level"),
    )


def _level_option(level: str, bag: Sequence[str]) -> Option[str]:
    """Return the option to choose a level: how many tokens its bag has, and between which."""
    numbers = [int(token) for token in bag if token not in SPECIAL] or [0]
    best, worst = token_name(str(max(numbers))), token_name(str(min(numbers)))
    symbols = sum(token in SPECIAL for token in bag)
    said = (f"level/{level}", len(bag), best, worst, symbols)
    return Option(level, Text("choice/level", said))


async def _lay_story(play: Play, level: str) -> None:
    """
    Lay out acts, agendas, scenario card, set-aside cards and the encounter deck.

    C-BZONE-6, C-BBAG-2.
    """
    scenario, pack = play.content.scenario, play.content.pack
    plan = {
        act: DRAWS.deal(play, "act", versions) or act
        for act, versions in scenario.act_versions.items()
    }
    for code in _all_locations(scenario):
        location = pack.locations.get(code)
        if location is not None and location.versions:
            faces = [location.face.id, *(face.id for face in location.versions)]
            plan[code] = play.deal("version", faces)
    play.emit(PlanMade(hidden(plan)))
    await play.pause()
    play.emit(DecksCounted(len(scenario.acts) - 1, len(scenario.agendas) - 1))
    play.emit(Laid(plan.get(scenario.acts[0], scenario.acts[0]), Place(Zone.ACT)))
    play.emit(Laid(scenario.agendas[0], Place(Zone.AGENDA)))
    play.emit(Laid(scenario.reference[level], Place(Zone.SCENARIO)))
    for code in scenario.aside:
        play.emit(Laid(code, Place(Zone.ASIDE)))
    play.shuffle(ENCOUNTER, encounter_cards(pack, scenario.sets, scenario.aside), Stream.SETUP)
    for deck in scenario.decks:
        cards = encounter_cards(pack, deck.sets, scenario.aside)
        play.shuffle(further(deck.id), [*cards, *deck.locations], Stream.SETUP)


def _all_locations(scenario: Scenario) -> list[CardId]:
    """Return the locations that can come into play, and the other cards that are set aside."""
    drawn = [code for choice in scenario.random for code in choice.among]
    decks = [code for deck in scenario.decks for code in deck.locations]
    return list(dict.fromkeys([*scenario.locations, *drawn, *decks, *scenario.aside]))


def encounter_cards(pack: Pack, sets: tuple[str, ...], aside: tuple[str, ...]) -> list[str]:
    """Return the cards of some encounter sets, less those that are set aside. C-BSETUP-8."""
    parts: tuple[Mapping[str, EnemyCard | TreacheryCard], ...] = (
        pack.enemies,
        pack.treacheries,
    )
    found = [
        card.id
        for part in parts
        for card in part.values()
        if card.set_ in sets
        for _ in range(card.copies)
    ]
    found += [
        card.id for card in pack.stories.values() if card.set_ in sets for _ in range(card.copies)
    ]
    for code in aside:
        if code in found:
            found.remove(code)
    return found


async def _lay_locations(play: Play) -> None:
    """
    Lay out the locations, unrevealed; some of them at random, unseen. C-BSETUP-11, C-SECRET-12.

    Those that are dealt come one at a time in player order, so that the first ones hold the surplus
    (C-DEAL-1, C-DEAL-2). Each investigator has a set where they are separate (C-BSPEC-6); on a grid
    cards of the encounter deck mark the empty spaces, face down (C-BSPEC-4).
    """
    scenario = play.content.scenario
    spots = {place.id: Position(place.at.row, place.at.column) for place in scenario.grid}
    for before in play.table.order if scenario.separate else ("",):
        for code in scenario.locations:
            locations.lay(play, code, before=before, position=spots.get(code))
    for place in scenario.grid:
        if place.id is None:
            face_down.lay(
                *(play, "", 1, Place(Zone.SPACE)), Position(place.at.row, place.at.column)
            )
    for choice in scenario.random:
        await play.pause()
        left = list(choice.among)
        for at in range(choice.number):
            drawn = play.deal(f"location {choice.id}", range(len(left)))
            before = play.table.order[at % len(play.table.order)] if choice.is_dealt else ""
            locations.lay(play, left.pop(drawn), looks=choice.looks or "", before=before)


async def _go_to_the_start(play: Play) -> None:
    """Put each investigator at the start, of the own set where they are separate. C-BSPEC-6."""
    scenario = play.content.scenario
    starts = [card for card in play.table.lying(Zone.MAP) if card.code == scenario.start]
    if not scenario.separate:
        starts = starts[:1]
    for start in starts:
        people = (start.before,) if scenario.separate else play.table.order
        play.emit(Walked(people, start.piece))
    await locations.reveal(play, [start.piece for start in starts])
    locations.draw_links(play)


def _set_linked_aside(play: Play) -> None:
    """
    Set aside the linked cards that some card of a deck calls, for its owner. C-BOND-1 to C-BOND-4.

    As many copies of each as its product holds, however many cards call it.
    """
    pack = play.content.pack
    for who in play.table.order:
        called = {
            step.id
            for code in deck_cards(play, who)
            for step in play.content.steps[code]
            if isinstance(step, IntoPlay)
        }
        for card in pack.players.values():
            if card.id in called and Keyword.BONDED in card.keywords:
                for _ in range(card.copies):
                    play.emit(Laid(card.id, Place(Zone.ASIDE), who))


def lay_starting_tokens(play: Play, who: InvestigatorId) -> None:
    """Give an investigator harm by trauma, and resources. C-BSETUP-2, C-BSETUP-3."""
    one = play.table.investigators[who]
    harm = [
        Change(one.card, token.value, one.trauma[trauma])
        for token, trauma in ((Token.DAMAGE, Trauma.PHYSICAL), (Token.HORROR, Trauma.MENTAL))
        if trauma in one.trauma
    ]
    play.emit(Tokens((*harm, Change(one.card, Token.RESOURCE.value, RESOURCES))))


def _deal_weaknesses(play: Play, who: InvestigatorId) -> None:
    """Deal the basic weaknesses that an investigator's deck asks for. C-BDECK-6, C-BDECK-10."""
    number = play.content.pack.investigators[who].basic_weaknesses
    if not number:
        return
    dealt: list[CardId] = []
    for _ in range(number):
        code = DRAWS.deal(play, "weakness", weaknesses.pool(play, dealt))
        if code is not None:
            dealt.append(code)
    play.emit(WeaknessesDealt(who, hidden(tuple(dealt))))


def _shuffle_deck(play: Play, who: InvestigatorId) -> None:
    """Shuffle a deck; Permanent cards begin in play. C-BSETUP-4, C-BSETUP-13, C-BKEY-8."""
    in_deck = []
    for code in deck_cards(play, who):
        face = play.content.faces[code]
        if isinstance(face, AnyCard) and Keyword.PERMANENT in face.keywords:
            play.emit(Laid(code, Place(Zone.PLAY, who), who))
            zones.lay_uses(play, f"c{play.table.next_piece - 1}", who)
        else:
            in_deck.append(code)
    play.shuffle(deck_of(who), in_deck, Stream.SETUP)
    play.shuffle(hand_of(who), (), Stream.SETUP, knowers=(seat(play, who),))


def deck_cards(play: Play, who: InvestigatorId) -> list[str]:
    """
    Return the cards of the deck of an investigator: the starter deck, with the own cards.

    Those come beside its size. C-BDECK-4.
    """
    pack = play.content.pack
    deck = decks.deck_of(pack, who)
    cards = deck.cards if deck is not None else {}
    codes = [code for code, number in cards.items() for _ in range(number)]
    return [*codes, *pack.investigators[who].signatures, *weaknesses.dealt_to(play, who)]


async def _starting_hand(play: Play, who: InvestigatorId) -> None:
    """Draw a starting hand; weaknesses are set aside and replaced. C-BSETUP-4, C-BSETUP-5."""
    replaced = play.content.pack.investigators[who].starting_hand
    if replaced is None:
        _fill(play, who, _size_of_hand(play, who))
    else:
        drawn = max(0, replaced.drawn + play.content.scenario.starting_hand)
        await _larger_hand(play, who, replaced, drawn, _size_of_hand(play, who))


def _size_of_hand(play: Play, who: InvestigatorId) -> int:
    """Return how many cards a starting hand has, by all that changes it. C-HAND-1, C-HAND-4."""
    replaced = play.content.pack.investigators[who].starting_hand
    number = HAND if replaced is None else replaced.cards_kept
    return max(0, number + play.content.scenario.starting_hand)


async def _mulligan(play: Play) -> None:
    """
    Ask everybody at once for the mulligan. C-BSETUP-6, C-BSETUP-7, C-BSETUP-14.

    Weaknesses among the new cards are set aside unresolved and replaced, too; all that is set aside
    is shuffled in. How many cards a hand has is public, so nothing is told where none is asked
    about.
    """
    asked: dict[int, list[InvestigatorId]] = {}
    for who in play.table.order:
        if play.table.piles[hand_of(who)]:
            asked.setdefault(seat(play, who), []).append(who)
    picks: Mapping[int, tuple[tuple[str, ...], ...]] = {}
    if asked:
        picks = await play.each_in_row(
            {at: [_swap(play, who) for who in people] for at, people in sorted(asked.items())},
            rule="C-BSETUP-6",
            about=Text("about/mulligan"),
        )
    swapped = {
        who: chosen
        for at, people in asked.items()
        for who, chosen in zip(people, picks[at], strict=True)
    }
    for who in play.table.order:
        await play.pause()
        if swapped.get(who):
            play.emit(Repiled(hand_of(who), aside_of(who), swapped[who], on_top=False))
            _fill(play, who, _size_of_hand(play, who))
        aside = play.table.piles.get(aside_of(who), ())
        if aside:
            play.emit(Repiled(aside_of(who), deck_of(who), aside, on_top=False))
            play.shuffle(deck_of(who), stream=Stream.SETUP)


def _swap(play: Play, who: InvestigatorId) -> Prompt[str]:
    """Return the question which cards of a starting hand are swapped."""
    found = [hands.card_option(play, handle) for handle in play.table.piles[hand_of(who)]]
    asks = Text("ask/mulligan", (who,))
    return Prompt(asks, tuple(found), at_least=0, at_most=len(found))


async def _larger_hand(
    play: Play, who: InvestigatorId, hand: StartingHand, drawn: int, kept: int
) -> None:
    """
    Draw a larger set, of which a number of cards is kept. C-HAND-2, C-HAND-3.

    Some may be put beneath the investigator card first; the rest is discarded.
    """
    _fill(play, who, drawn)
    card = play.table.investigators[who].card
    in_hand = play.table.piles[hand_of(who)]
    fitting = [
        handle
        for handle in in_hand
        if hand.beneath is not None
        and targets.fits_in_hand(play, play.table.card_of(handle), hand.beneath)
    ]
    most = min(hand.most_beneath, len(fitting))
    if most:
        beneath = await play.choose_some(
            seat(play, who),
            [hands.card_option(play, handle) for handle in fitting],
            rule="C-HAND-2",
            about=Text("about/starting_hand"),
            prompt=Text("ask/starting_beneath", (who, most)),
            at_least=0,
            at_most=most,
        )
        for handle in beneath:
            hands.open_card(play, who, handle, Place(Zone.BENEATH, card))
    rest = max(0, len(play.table.piles[hand_of(who)]) - kept)
    await hands.discard(play, who, rest, Source(who, card, who))


def aside_of(who: InvestigatorId) -> str:
    """Return the pile of the cards that are set aside while the hand is drawn. C-SECRET-26."""
    return f"mulligan/{who}"


def _fill(play: Play, who: InvestigatorId, number: int) -> None:
    """Draw until a hand has so many cards without weaknesses, which are set aside unresolved."""
    while True:
        lying = play.table.piles[hand_of(who)]
        deck = play.table.piles.get(deck_of(who), ())
        missing = deck[: number - len(lying)]
        if not missing:
            return
        hands.into_hand(play, who, deck_of(who), missing)
        hands.hide(play, who, Stream.SETUP)
        weak = tuple(
            handle
            for handle in play.table.piles[hand_of(who)]
            if targets.is_weakness(play.content.faces[play.table.card_of(handle)])
        )
        if weak:
            play.emit(Repiled(hand_of(who), aside_of(who), weak, on_top=False))
