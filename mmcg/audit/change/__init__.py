"""What became of symbols, their callers and the calls of them."""
