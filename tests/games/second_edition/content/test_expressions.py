"""Parser of expressions: precedence, names, and positions of errors."""

import pytest

from content.games.second_edition.expressions import read_condition, read_number
from content.games.second_edition.schema.numbers import OF_MONSTER, OF_WEAPON
from content.games.second_edition.schema.requirements import (
    AllOf,
    AnyOf,
    Comparison,
    Not,
    Requirement,
)
from content.reading.expressions import MAX_DEPTH, MAX_LENGTH, BadExpression, Named
from content.reading.formulas import (
    Chain,
    ConstantNumber,
    Expression,
    Extreme,
    Link,
    Negative,
    Operator,
    Relation,
    Variable,
)
from content.reading.names import PLAIN_ID

TIDE, ROUND = Variable("tide"), Variable("round")


def chain(first: Expression, *rest: tuple[str, Expression]) -> Chain:
    """Return operands joined by operators."""
    return Chain(first, tuple(Link(Operator(sign), operand) for sign, operand in rest))


def number(value: int) -> ConstantNumber:
    return ConstantNumber(value)


def is_at_least(name: str, value: int) -> Comparison:
    return Comparison(Variable(name), Relation.AT_LEAST, ConstantNumber(value))


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("tide", TIDE),
        ("sea-level", Variable("sea-level")),
        ("tide-1", chain(TIDE, ("-", number(1)))),
        ("1 + 2 * tide", chain(number(1), ("+", chain(number(2), ("*", TIDE))))),
        ("(1 + 2) * tide", chain(chain(number(1), ("+", number(2))), ("*", TIDE))),
        ("9 - 2 - 1", chain(number(9), ("-", number(2)), ("-", number(1)))),
        ("8 / 2 * 3", chain(number(8), ("/", number(2)), ("*", number(3)))),
        ("-tide + 1", chain(Negative(TIDE), ("+", number(1)))),
        ("2 * -(1 + tide)", chain(number(2), ("*", Negative(chain(number(1), ("+", TIDE)))))),
        ("min(tide, 3)", Extreme(is_greatest=False, of=(TIDE, number(3)))),
        ("max(1, 2, tide)", Extreme(is_greatest=True, of=(number(1), number(2), TIDE))),
        ("true + false", chain(number(1), ("+", number(0)))),
    ],
)
def test_number_is_read_by_precedence(text: str, read: Expression) -> None:
    """Products bind tighter than sums, equal operators group to the left."""
    assert read_number(text)[0] == read


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("tide >= 3", is_at_least("tide", 3)),
        (
            "tide + 1 < round * 2",
            Comparison(
                chain(TIDE, ("+", number(1))), Relation.LESS, chain(ROUND, ("*", number(2)))
            ),
        ),
        ("told", Comparison(Variable("told"), Relation.UNEQUAL, number(0))),
        ("not tide >= 3", Not(is_at_least("tide", 3))),
        (
            "tide >= 1 or tide >= 2 and tide >= 3",
            AnyOf(
                (
                    is_at_least("tide", 1),
                    AllOf((is_at_least("tide", 2), is_at_least("tide", 3))),
                )
            ),
        ),
        (
            "(tide >= 1 or tide >= 2) and not (tide >= 3)",
            AllOf(
                (
                    AnyOf((is_at_least("tide", 1), is_at_least("tide", 2))),
                    Not(is_at_least("tide", 3)),
                )
            ),
        ),
    ],
)
def test_condition_is_read_by_precedence(text: str, read: Requirement) -> None:
    """Comparisons bind tighter than `not`, which binds tighter than `and`, then `or`."""
    assert read_condition(text)[0] == read


@pytest.mark.parametrize("relation", list(Relation), ids=lambda relation: str(relation.value))
def test_every_sign_compares(relation: Relation) -> None:
    assert read_condition(f"tide {relation.value} 3")[0] == Comparison(TIDE, relation, number(3))


def test_numbers_of_the_monster_are_named_with_a_full_stop() -> None:
    """No counter of any pack can have a full stop in its name."""
    assert read_number("monster.health - 1")[0] == chain(
        Variable("monster.health"), ("-", number(1))
    )


def test_names_are_told_with_their_places() -> None:
    assert read_number("2 * tide + round")[1] == (Named("tide", 4), Named("round", 11))


@pytest.mark.parametrize(
    ("text", "offset", "reason"),
    [
        ("tide +", 6, "missing at the end"),
        ("", 0, "missing at the end"),
        ("tide tide", 5, "'tide' cannot stand here"),
        ("tide == 3", 5, "write '=' to compare"),
        ("tide => 3", 5, "write '>='"),
        ("tide =< 3", 5, "write '<='"),
        ("tide <> 3", 5, "write '!='"),
        ("tide >= 3 && told", 10, "write 'and'"),
        ("tide \N{GREATER-THAN OR EQUAL TO} 3", 5, "write '>='"),
        ("(tide + 1", 0, "this bracket is not closed"),
        ("tide + 1)", 8, "')' cannot stand here"),
        ("1 < tide < 5", 9, "compare twice"),
        ("tide + 1", 0, "compare it"),
        ("tide > 1 and 2", 13, "compare it"),
        ("2 and tide > 1", 0, "compare it"),
        ("not 2", 4, "compare it"),
        ("(tide > 1) > 3", 0, "this is a comparison, no number"),
        ("3 > (tide > 1)", 4, "this is a comparison, no number"),
        ("-(tide > 1) > 3", 1, "this is a comparison, no number"),
        ("min((tide > 1), 2) > 3", 4, "this is a comparison, no number"),
        ("(1 2) > 3", 3, "'2' cannot stand here"),
        ("(tide > 1) + 2 > 3", 0, "this is a comparison, no number"),
        ("2 * (tide > 1) > 3", 4, "this is a comparison, no number"),
        ("round(2) > 1", 0, "'round' is no function"),
        ("min(2) > 1", 0, "at least two"),
        ("min > 1", 0, "write 'min(…, …)'"),
        ("Tide > 1", 0, "names in small letters"),
        ("token/desk", 0, "compare it"),
        ("1000001 > 1", 0, "numbers go up to 1000000"),
        ("and", 0, "'and' cannot stand here"),
    ],
)
def test_mistake_is_told_where_it_stands(text: str, offset: int, reason: str) -> None:
    with pytest.raises(BadExpression) as told:
        read_condition(text)

    assert (told.value.offset, reason in told.value.reason) == (offset, True), told.value.reason


def test_comparison_is_no_number() -> None:
    """A truth value cannot be added to a number by accident."""
    with pytest.raises(BadExpression, match="this is a comparison, no number"):
        read_number("tide > 3")


@pytest.mark.parametrize("text", ["(" * 30 + "1" + ")" * 30, "-" * 30 + "1"])
def test_what_is_deep_is_refused(text: str) -> None:
    with pytest.raises(BadExpression, match=f"nested deeper than {MAX_DEPTH}"):
        read_number(text)
    with pytest.raises(BadExpression, match=f"nested deeper than {MAX_DEPTH}"):
        read_condition("not " * 30 + "tide")


@pytest.mark.parametrize(
    "text",
    ["(" * MAX_DEPTH + "1" + ")" * MAX_DEPTH, "-" * MAX_DEPTH + "1", "+".join(["(1)"] * 30)],
    ids=("brackets", "signs", "side by side"),
)
def test_what_is_not_too_deep_is_read(text: str) -> None:
    read_number(text)


def test_what_is_long_is_refused() -> None:
    text = "1" + "+1" * (MAX_LENGTH // 2)

    with pytest.raises(BadExpression, match="longer than"):
        read_number(text)
    assert isinstance(read_number(text[:-2])[0], Chain)


def test_no_counter_of_a_pack_can_be_called_as_a_number_of_the_monster() -> None:
    """Packs written before those names existed keep their meaning."""
    new = {**OF_MONSTER, **OF_WEAPON}

    assert [name for name in new if PLAIN_ID.fullmatch(name)] == []
    assert read_number("monster_health")[0] == Variable("monster_health")
