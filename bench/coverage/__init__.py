"""How often the published intervals hold the truth: studies with known truth, ingested by the product itself."""
