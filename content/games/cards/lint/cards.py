"""Findings on the data of single cards: what is printed on one and does not belong there."""

from collections.abc import Iterator

from content.games.cards.lint.registry import every, finds
from content.games.cards.schema.cards import (
    AnyCard,
    Does,
    EnemyCard,
    PlayerCard,
    StoryCard,
    TreacheryCard,
)
from content.games.cards.schema.costs import ReleaseCost, SealCost, UsesCost
from content.games.cards.schema.kinds import CardType, Keyword
from content.games.cards.schema.pack import Pack, type_of
from content.games.cards.schema.steps import IntoPlay, SealShown
from content.language.findings import Finding
from protocol.games.cards.words import WILD, Skill, Token

_OF_ENEMIES = frozenset(
    [Keyword.HUNTER, Keyword.RETALIATE, Keyword.ALERT, Keyword.ALOOF, Keyword.MASSIVE]
)
_OF_PLAYERS = frozenset([Keyword.FAST, Keyword.PERMANENT, Keyword.BONDED])


def _with_icons(pack: Pack) -> list[PlayerCard | StoryCard]:
    """Return the cards that may have icons and uses."""
    return [*pack.players.values(), *pack.stories.values()]


@finds
def _costs(pack: Pack) -> Iterator[Finding]:
    """C-BPLAY-4, C-COST-3: skill cards are never played; without a cost no card is."""
    for card in pack.players.values():
        if card.type is CardType.SKILL and card.cost is not None:
            yield Finding(
                pack.id,
                card.id,
                "a skill card is never played; leave its cost out",
                part=card,
                keys=("cost",),
            )
        is_played = card.type in (CardType.ASSET, CardType.EVENT) and not card.weakness
        if is_played and card.cost is None and not card.copy_of and not _is_brought(pack, card):
            reason = "without a cost it can never be played"
            yield Finding(pack.id, card.id, f"{reason}; write a cost, 0 if it is free")


def _is_brought(pack: Pack, card: PlayerCard) -> bool:
    """Return whether a card comes into play without being played."""
    put = {step.id for step in every(IntoPlay, pack)}
    return Keyword.PERMANENT in card.keywords or card.id in put


@finds
def _icons(pack: Pack) -> Iterator[Finding]:
    """C-BTEST-1: icons are the names of skills and `wild`, and are all that a skill card is for."""
    known = {WILD, *(skill.value for skill in Skill)}
    for card in _with_icons(pack):
        for icon in sorted(set(card.icons) - known):
            reason = f"there is no icon {icon!r}; write one of {', '.join(sorted(known))}"
            yield Finding(pack.id, card.id, reason, part=card, keys=("icons",))
    for card in pack.players.values():
        if card.type is CardType.SKILL and not card.icons and not card.weakness:
            reason = "a skill card without icons can never be committed; write icons"
            yield Finding(pack.id, card.id, reason)


@finds
def _borne(pack: Pack) -> Iterator[Finding]:
    """C-BPLAY-8, C-BDMG-2: only what stays in play takes slots and bears harm."""
    for card in pack.players.values():
        if card.type is CardType.ASSET:
            continue
        for field in ("slots", "health", "sanity", "uses"):
            if getattr(card, field):
                reason = f"only assets stay in play; leave its {field} out"
                yield Finding(pack.id, card.id, reason, part=card, keys=(field,))


@finds
def _events(pack: Pack) -> Iterator[Finding]:
    """C-BPLAY-3, C-BPLAY-7: what an event does, and when it is played."""
    for card in pack.players.values():
        if card.type is not CardType.EVENT or card.weakness or card.copy_of is not None:
            continue
        played = [ability for ability in card.abilities if ability.does is Does.PLAY]
        if not played:
            reason = "nothing happens when it is played; write an ability with 'does: play'"
            yield Finding(pack.id, card.id, reason, part=card, keys=("abilities",))
        elif Keyword.FAST not in card.keywords and any(ability.on for ability in played):
            reason = "only a Fast event is played at a moment; add 'keywords: [fast]'"
            yield Finding(pack.id, card.id, reason)


@finds
def _copies(pack: Pack) -> Iterator[Finding]:
    """C-COST-5: a copy has everything but its icons from the card that is copied."""
    for card in pack.players.values():
        if card.copy_of is None:
            continue
        if card.type is not CardType.EVENT:
            reason = "only an event is played as a copy of an event; leave its copy_of out"
            yield Finding(pack.id, card.id, reason, part=card, keys=("copy_of",))
        for field in ("cost", "permitted", "attached_to", "abilities"):
            if getattr(card, field) not in (None, ()):
                reason = f"what it is a copy of says this; leave its {field} out"
                yield Finding(pack.id, card.id, reason, part=card, keys=(field,))


@finds
def _uses(pack: Pack) -> Iterator[Finding]:
    """C-BPLAY-11, C-BPLAY-12, C-BPLAY-19: uses are spent, and only those that a card has."""
    for face in pack.all_cards():
        own = face.uses.kind if isinstance(face, PlayerCard | StoryCard) and face.uses else ""
        spent = {cost.kind: cost for cost in every(UsesCost, face)}
        for kind, cost in sorted(spent.items(), key=lambda each: each[0]):
            if kind != own:
                reason = f"it spends {kind!r} and has none"
                advice = f"write 'uses: {{kind: {kind}, number: …}}'"
                yield Finding(pack.id, face.id, f"{reason}; {advice}", part=cost)
        if own and own not in spent and not face.abilities:
            reason = f"nothing spends its {own!r}; write an ability that does"
            yield Finding(pack.id, face.id, reason, part=face, keys=("uses",))


@finds
def _sealed(pack: Pack) -> Iterator[Finding]:
    """C-BKEY-15: what is released was sealed."""
    seals = {face.id for face in pack.all_faces() if any(every(SealCost, face))}
    others = [
        step for face in pack.all_faces() for step in every(SealShown, face) if face.id not in seals
    ]
    for face in pack.all_faces():
        release = next(every(ReleaseCost, face), None)
        if release is not None and face.id not in seals and not others:
            reason = "it releases a token, and nothing seals one on it; write a cost 'seal'"
            yield Finding(pack.id, face.id, reason, part=release)


@finds
def _enemies(pack: Pack) -> Iterator[Finding]:
    """C-BENEMY-1: an enemy can be defeated, and does something."""
    for enemy in pack.enemies.values():
        if enemy.health is None:
            reason = "nothing can defeat an enemy without health; write its health"
            yield Finding(pack.id, enemy.id, reason)
        if not enemy.damage and not enemy.horror and not enemy.abilities:
            reason = "its attacks do nothing; write damage, horror or an ability"
            yield Finding(pack.id, enemy.id, reason)


@finds
def _drawn(pack: Pack) -> Iterator[Finding]:
    """C-BENC-2, C-BWEAK-1: something happens when a treachery or a weakness is drawn."""
    drawn: list[PlayerCard | TreacheryCard] = list(pack.treacheries.values())
    drawn += [card for card in pack.players.values() if card.weakness]
    for card in drawn:
        is_told = any(ability.does is Does.REVELATION for ability in card.abilities)
        if not is_told and Keyword.HIDDEN not in card.keywords:
            reason = "nothing happens when it is drawn; write an ability with 'does: revelation'"
            yield Finding(pack.id, card.id, reason)


@finds
def _keywords(pack: Pack) -> Iterator[Finding]:
    """Section 2.16: a keyword says something about some types of card alone."""
    for card in pack.all_cards():
        wrong: frozenset[Keyword] = frozenset()
        if not isinstance(card, EnemyCard):
            wrong |= _OF_ENEMIES
        if not isinstance(card, PlayerCard | StoryCard):
            wrong |= _OF_PLAYERS
        for keyword in card.keywords:
            if keyword in wrong:
                kind = type_of(card).value
                reason = f"{keyword.value!r} says nothing on a card of the type {kind}"
                yield Finding(
                    pack.id, card.id, f"{reason}; leave it out", part=card, keys=("keywords",)
                )


@finds
def _signatures(pack: Pack) -> Iterator[Finding]:
    """C-SIG-1: a signature card and its investigator name each other."""
    cards: dict[str, AnyCard] = {**pack.players, **pack.enemies, **pack.treacheries}
    for card in cards.values():
        of = getattr(card, "signature_of", None)
        owner = pack.investigators.get(of or "")
        if owner is not None and card.id not in owner.signatures:
            reason = f"{owner.id} does not name it; add it to the signatures there"
            yield Finding(pack.id, card.id, reason)
    for investigator in pack.investigators.values():
        for id_ in investigator.signatures:
            if id_ in cards and getattr(cards[id_], "signature_of", None) != investigator.id:
                reason = f"its signature {id_} does not name it; write 'signature_of' there"
                yield Finding(
                    pack.id, investigator.id, reason, part=investigator, keys=("signatures",)
                )
        weak = [one for one in investigator.signatures if getattr(cards.get(one), "weakness", 0)]
        if investigator.signatures and not weak:
            reason = "none of its signatures is a weakness; add one"
            yield Finding(pack.id, investigator.id, reason, part=investigator, keys=("signatures",))


@finds
def _tokens(pack: Pack) -> Iterator[Finding]:
    """C-BZONE-17: tokens on cards are of a kind that the game or a card has."""
    known = {token.value for token in Token}
    known |= {card.uses.kind for card in _with_icons(pack) if card.uses is not None}
    for face in pack.all_faces():
        for part in every(object, face):
            for field in ("holds", "lacks", "token"):
                kind = getattr(part, field, "")
                is_chaos = field == "token" and type(part).__name__ in _OF_BAG
                if kind and not is_chaos and isinstance(kind, str) and kind not in known:
                    reason = f"no tokens of the kind {kind!r} lie on cards"
                    yield Finding(
                        pack.id, face.id, f"{reason}; write one of {_listed(known)}", part=part
                    )


_OF_BAG = frozenset(["ChangeBag", "SealCost"])


def _listed(words: set[str]) -> str:
    return ", ".join(sorted(words))


@finds
def _faces(pack: Pack) -> Iterator[Finding]:
    """C-BLOC-4: a location leads somewhere, or is led to."""
    for location in pack.locations.values():
        if location.symbol in location.face.connects:
            reason = f"a way leads from it to its own symbol {location.symbol!r}; leave that out"
            yield Finding(pack.id, location.face.id, reason, part=location.face, keys=("connects",))
