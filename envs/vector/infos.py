"""One dictionary of arrays from many `info`s, as gymnasium makes it."""

from typing import Any

import numpy as np

__all__ = ["make_room"]


def make_room(vector_infos: dict[str, Any], env_info: dict[str, Any]) -> None:
    """Change the arrays of `vector_infos` so that the values of another `info` fit in.

    `gymnasium.vector.VectorEnv._add_info` takes the type of an array from the first value. A later
    one that is None, or a real number after a whole one, would raise or be cut. Where all values
    are of one type, nothing is changed.

    Args:
        vector_infos: The arrays so far, changed in place.
        env_info: What comes next.
    """
    for key, value in env_info.items():
        array = vector_infos.get(key)
        if not isinstance(array, np.ndarray) or array.dtype == object:
            continue
        if isinstance(value, bool | int | float | np.number):
            wider = np.result_type(array.dtype, type(value))
            if wider != array.dtype:
                vector_infos[key] = array.astype(wider)
        elif not (isinstance(value, np.ndarray) and value.shape == array.shape[1:]):
            boxed = np.full(len(array), None, dtype=object)
            for number in np.flatnonzero(vector_infos[f"_{key}"]):
                boxed[number] = array[number]
            vector_infos[key] = boxed
