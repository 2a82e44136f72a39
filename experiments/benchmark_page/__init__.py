"""The benchmark page: what parsing costs, by what it depends on."""
