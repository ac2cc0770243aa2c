"""Tables that help to plan HADR."""
