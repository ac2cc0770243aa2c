"""`haledger anonymise`: a study with pseudonyms for what names people, machines and data."""
