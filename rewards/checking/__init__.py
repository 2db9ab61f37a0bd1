"""Building blocks of checks: addresses, arguments, slide and shape pairs, comparisons, results."""
