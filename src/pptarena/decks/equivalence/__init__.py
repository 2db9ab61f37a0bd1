"""Values that differ in the file but look equal to a viewer; see `equivalences`."""
