"""`haledger check`: claims of a study and rules on the quality of its data."""
