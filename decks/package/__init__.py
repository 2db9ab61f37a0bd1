"""The zip file, its parts and their relationships (ECMA-376 part 2), read with bounds."""
