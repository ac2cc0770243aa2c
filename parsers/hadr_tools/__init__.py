"""The HADR simulator and its companions, which plan HADR."""
