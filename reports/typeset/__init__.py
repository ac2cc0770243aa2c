"""Text and fonts as pages show them."""
