"""Shared hypothesis strategies: plain values of the encoding."""

from hypothesis import strategies as st

from protocol import codec

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.binary(max_size=300)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=100)
)


def _tuples(inside: st.SearchStrategy[codec.Plain]) -> st.SearchStrategy[codec.Plain]:
    return st.lists(inside, max_size=20).map(tuple)


PLAIN: st.SearchStrategy[codec.Plain] = st.recursive(SCALARS, _tuples, max_leaves=40)
"""Any value that the encoding has."""
