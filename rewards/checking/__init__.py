"""What checks are made of: addresses, arguments, pairs before and now, comparisons, results."""
