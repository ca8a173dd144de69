"""Prebuilt toolsets for agents; a group's libraries are loaded when the group is first used."""
