"""What a person says of a study: study.toml, rules, and the configuration, run and node of each file."""
