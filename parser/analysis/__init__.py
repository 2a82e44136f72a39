"""Looking into parsers and oracles: coverage, explanations, diagnoses."""
