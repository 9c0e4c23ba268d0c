"""
Tokens: exploring, searching, interacting, and options that cost no action.

Rules ACTION-5 to ACTION-9, EXPLORE-1 to EXPLORE-5, SEARCH-1, SEARCH-2, INTERACT-1 to INTERACT-3,
TOKEN-1, TOKEN-2, DECIDE-7, DECIDE-24 to DECIDE-26, DECIDE-98, DECIDE-99.
"""

import functools
from collections.abc import Callable, Iterable, Mapping

from content.games.second_edition.schema.counters import Scope
from content.games.second_edition.schema.requirements import (
    CounterWithin,
    HasClues,
    HasItem,
    HasTrait,
    Requirement,
)
from content.games.second_edition.schema.scenario import Moment, Scenario, TokenOption
from content.language.walk import parts_in
from content.reading.formulas import Variable
from protocol.boards.maps import Map
from protocol.common.asks import RefusedChoice
from protocol.common.text import Text
from protocol.games.second_edition.events import OptionChosen
from protocol.games.second_edition.table import (
    InvestigatorId,
    SecondEditionTable,
    SpaceId,
    Token,
    TokenId,
    TokenKind,
)
from protocol.memo import memo
from server.games.second_edition.rules import (
    actions,
    adjacency,
    board,
    effects,
    happenings,
    naming,
    requirements,
    triggers,
)
from server.games.second_edition.rules.play import Play, Source
from server.kernel.asks import Option
from server.rulekit.offers import Offers, refusal, together

ACTION_OF = {
    TokenKind.EXPLORE: "explore",
    TokenKind.SEARCH: "search",
    TokenKind.INTERACT: "interact",
    TokenKind.PERSON: "interact",
}
"""Action that opens the options of a token; a Sight token needs none (TOKEN-2)."""

PLACE_RULE = {"explore": "EXPLORE-2", "search": "SEARCH-2", "interact": "INTERACT-2"}

TOO_FAR = "refusal/too_far"
"""Refusal of the action options of a token elsewhere on the board."""


def is_in_reach(table: SecondEditionTable, investigator: InvestigatorId, token: Token) -> bool:
    """Return True if an investigator stands where a token's action options can be used."""
    return _is_near(table.map, table.investigators[investigator].space, token)


def _is_near(tiles: Map, space: SpaceId | None, token: Token) -> bool:
    """
    Return True if a token's action options can be used in a space.

    Rules EXPLORE-2, SEARCH-2, INTERACT-2 and ADJACENT-3: in the token's space, or in a space with
    the token's door on its edge.
    """
    if space is None:
        return False
    door = adjacency.door_at(tiles, token.at)
    return token.at == space or (door is not None and space in door.sides)


# Each menu of a turn asks for all tokens, most of which are elsewhere.
@memo()
def _near(tokens: Mapping[TokenId, Token], tiles: Map, space: SpaceId | None) -> frozenset[TokenId]:
    """Return the tokens whose action options can be used in a space."""
    found = (token for token in tokens.values() if _is_near(tiles, space, token))
    return frozenset(token.token_id for token in found)


def menu(play: Play, investigator: InvestigatorId) -> Offers:
    """
    Return the options of all tokens for the active investigator.

    Rules ACTION-7 and DECIDE-25.
    """
    near = _near(play.table.tokens, play.table.map, play.table.investigators[investigator].space)
    offers: list[Offers] = []
    for token, number, option in _shown(play, investigator, _all_options):
        if not board.needs_action(token.kind, option):
            offers.append(_free_offer(play, investigator, token, number, option))
        elif token.token_id in near:
            offers.append(_action_offer(play, investigator, token, number, option))
        else:
            offers.append(_too_far(option, token.kind))
    return together(offers)


def free_menu(play: Play, investigator: InvestigatorId) -> Offers:
    """Return the tokens' options that cost the active investigator no action. Rule ACTION-6."""
    offers = Offers()
    for token, number, option in _shown(play, investigator, _free_options):
        offers += _free_offer(play, investigator, token, number, option)
    return offers


def far_last(refused: Iterable[RefusedChoice]) -> tuple[RefusedChoice, ...]:
    """Sort refusals so that distant tokens come last: a board has many of them."""
    return tuple(sorted(refused, key=lambda no: no.reason.subject == TOO_FAR))


def sight_menu(play: Play, investigator: InvestigatorId, *, is_open: bool = False) -> Offers:
    """
    Return the Sight tokens that an investigator can look at, as options. TOKEN-2 and DECIDE-26.

    Args:
        play: the game.
        investigator: the investigator who would look.
        is_open: True to leave out options that only this investigator knows of.
    """
    offers = Offers()
    for token, number, option in _shown(play, investigator, _sight_options):
        if not (is_open and _is_private(play.content.scenario, option)):
            offers += _free_offer(play, investigator, token, number, option)
    return offers


def hides_options(play: Play) -> bool:
    """
    Return True if a token may have a free option for one investigator alone.

    If so, the question is always asked: a question asked only because of the option would reveal
    it.
    """
    # Version 1 asked only those who had an option, and its questions are on the log.
    return play.version > 1 and _hides_any(play.table.tokens, play.content.scenario)


@memo(most=32)
def _hides_any(tokens: Mapping[TokenId, Token], scenario: Scenario) -> bool:
    return any(_is_private(scenario, option) for _, _, option in _free_options(tokens, scenario))


def _is_private(scenario: Scenario, option: TokenOption) -> bool:
    """Return True if an option depends on a personal counter, which only its owner knows."""
    named = {
        part.name
        for requirement in (option.when, option.requires)
        for part in parts_in(requirement)
        if isinstance(part, CounterWithin | Variable)
    }
    counters = scenario.counters
    return any(name in counters and counters[name].of is Scope.INVESTIGATOR for name in named)


_Options = tuple[tuple[Token, int, TokenOption], ...]
"""Token options: each with its token and its number on that token."""


# A small cache: one answer asks for the same tokens several times, later answers hardly ever.
@memo(most=32)
def _all_options(tokens: Mapping[TokenId, Token], scenario: Scenario) -> _Options:
    """Return all options of the tokens on the board, available now or not."""
    return tuple(
        (token, number, option)
        for token in tokens.values()
        for number, option in enumerate(scenario.tokens_by_id[token.token_id].options)
    )


@memo(most=32)
def _free_options(tokens: Mapping[TokenId, Token], scenario: Scenario) -> _Options:
    """Return the tokens' options that cost no action."""
    found = _all_options(tokens, scenario)
    return tuple(one for one in found if not board.needs_action(one[0].kind, one[2]))


@memo(most=32)
def _sight_options(tokens: Mapping[TokenId, Token], scenario: Scenario) -> _Options:
    """Return the options of the Sight tokens."""
    return tuple(one for one in _all_options(tokens, scenario) if one[0].kind is TokenKind.SIGHT)


def _shown(play: Play, investigator: InvestigatorId, kept: Callable[..., _Options]) -> _Options:
    """Return the options from `kept` whose requirement holds for an investigator now."""
    return tuple(
        [
            one
            for one in kept(play.table.tokens, play.content.scenario)
            if one[2].when is None or requirements.holds(play, one[2].when, investigator)
        ]
    )


def _action_offer(
    play: Play, investigator: InvestigatorId, token: Token, number: int, option: TokenOption
) -> Offers:
    text = Text(option.text)
    action = ACTION_OF[token.kind]
    if barred := actions.barred(play, investigator, action, text):
        return barred
    if lacking := _lacking(play, investigator, option, text):
        return lacking
    chosen = functools.partial(use, play, investigator, token.token_id, number)
    return Offers((Option(chosen, text, (naming.at_token(token.token_id),), "look"),))


@memo(most=1024)
def _too_far(option: TokenOption, kind: TokenKind) -> Offers:
    """Return the refusal of an option whose token is too far from the investigator."""
    return refusal(Text(option.text), Text(TOO_FAR), PLACE_RULE[ACTION_OF[kind]])


def _free_offer(
    play: Play, investigator: InvestigatorId, token: Token, number: int, option: TokenOption
) -> Offers:
    text = Text(option.text)
    if lacking := _lacking(play, investigator, option, text):
        return lacking
    action = functools.partial(use_free_option, play, investigator, token.token_id, number)
    return Offers((Option(action, text, (naming.at_token(token.token_id),), "look"),))


def _lacking(
    play: Play, investigator: InvestigatorId, option: TokenOption, text: Text
) -> Offers | None:
    """
    Return the refusal of an option whose requirement does not hold, else None.

    Rule EXPLORE-5.
    """
    if option.requires is None or requirements.holds(play, option.requires, investigator):
        return None
    return refusal(text, reason_of(play, option.requires), "EXPLORE-5")


def reason_of(play: Play, requirement: Requirement) -> Text:
    """
    Return the reason of a refusal for a requirement that does not hold.

    It names another investigator who carries what is needed, except in games before version 3.
    """
    match requirement:
        case HasTrait(trait) if (
            play.version > 2 and (who := _who_meets(play, requirement)) is not None
        ):
            return Text("refusal/other_has_trait", (f"trait/{trait}", who))
        case HasItem(item) if (
            play.version > 2 and (who := _who_meets(play, requirement)) is not None
        ):
            return Text("refusal/other_has_item", (item, who))
        case HasTrait(trait):
            return Text("refusal/needs_trait", (f"trait/{trait}",))
        case HasItem(item):
            return Text("refusal/needs_item", (item,))
        case HasClues(count):
            return Text("refusal/needs_clues", (count,))
        case _:
            return Text("refusal/needs_more")


def _who_meets(play: Play, requirement: Requirement) -> InvestigatorId | None:
    """Return the first investigator for whom a requirement holds; None if it holds for nobody."""
    standing = play.table.standing()
    return next((who for who in standing if requirements.holds(play, requirement, who)), None)


async def use(play: Play, investigator: InvestigatorId, token_id: TokenId, number: int) -> None:
    """
    Perform an explore, search or interact action. Rules EXPLORE-1, SEARCH-1, INTERACT-1, ACTION-8.

    The investigator evades monsters first (EVADE-4). If that check removes the token, or moves the
    investigator out of its reach, the action has no effect.
    """
    # Read before the evade check, whose text may remove the token.
    token = play.table.tokens[token_id]
    if not await actions.begin(play, investigator, ACTION_OF[token.kind]):
        return
    is_there = token_id in play.table.tokens and is_in_reach(play.table, investigator, token)
    option = board.token_card(play, token_id).options[number]
    if not is_there or _lacking(play, investigator, option, Text(option.text)):
        return
    play.emit(OptionChosen(investigator, Text(option.text)))
    happenings.note(play, token_id)
    tiles = len(play.table.tiles)
    with play.within(Text(option.text)):
        await effects.resolve(play, option.effect, Source(investigator))
    # DECIDE-98: an exploration that revealed something is resolved, and its token goes.
    if token.kind is TokenKind.EXPLORE and len(play.table.tiles) > tiles:
        board.remove_token(play, token_id)
    await triggers.run(play, Moment.TOKEN_USED, investigator, about=(token_id,))


async def use_free_option(
    play: Play, investigator: InvestigatorId, token_id: TokenId, number: int
) -> None:
    """Resolve an option that costs no action and takes no evade check. Rule DECIDE-24."""
    option = board.token_card(play, token_id).options[number]
    play.emit(OptionChosen(investigator, Text(option.text)))
    happenings.note(play, token_id)
    with play.within(Text(option.text)):
        await effects.resolve(play, option.effect, Source(investigator))
    await triggers.run(play, Moment.TOKEN_USED, investigator, about=(token_id,))
