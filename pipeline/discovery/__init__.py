"""What is in a folder of logs: files, archives and their members, how their bytes are reached."""
