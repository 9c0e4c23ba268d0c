"""What the tests of all layers share: players, tables, servers, terminals, stores."""
