"""Running the declared commands of a spec, and what came of them."""
