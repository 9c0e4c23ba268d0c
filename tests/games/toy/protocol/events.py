"""Events of the toy; importing this module registers them."""

import tests.kit.tables.toy_table  # noqa: F401 (declares the kinds)
