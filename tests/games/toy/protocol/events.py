"""The kinds of the toy's records; importing this module declares them."""

import tests.kit.tables.toy_table  # noqa: F401 (declares the kinds)
