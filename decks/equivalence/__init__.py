"""What is equal to a viewer though the file says it in another way; the table is in `table`."""
