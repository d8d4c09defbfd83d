"""The command line: thin, without SQL and without judgement."""
