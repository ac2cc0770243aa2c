"""Answers of commands, written for people."""
