"""Twin games: two games that differ in secrets alone must be sent alike to who may not know them."""
