"""Whether runs vary otherwise than chance lets them."""
