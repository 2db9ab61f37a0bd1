"""Budget of a judge."""

import threading

from pptarena.errors import JudgeBudgetError

__all__ = ["Budget"]


class Budget:
    """Counts requests and tokens; thread-safe.

    Tokens are reserved before a request by an upper estimate, and corrected afterwards by the
    endpoint's count. Concurrent requests therefore cannot overspend.
    """

    def __init__(self, max_calls: int, max_tokens: int) -> None:
        self.max_calls = max_calls
        self.max_tokens = max_tokens
        self.calls = 0
        self.tokens = 0
        self._lock = threading.Lock()

    def reserve(self, tokens: int) -> None:
        """Reserve one request and its estimated tokens.

        Raises:
            JudgeBudgetError: If the budget is exceeded; nothing is reserved then.
        """
        with self._lock:
            if self.calls >= self.max_calls:
                raise JudgeBudgetError(
                    f"the judge's budget of {self.max_calls} calls is spent; raise max_calls"
                )
            if self.tokens + tokens > self.max_tokens:
                raise JudgeBudgetError(
                    f"the judge's budget of {self.max_tokens} tokens is spent: {self.tokens} are "
                    f"used and the next call may need {tokens}; raise max_tokens"
                )
            self.calls += 1
            self.tokens += tokens

    def settle(self, reserved: int, used: int) -> None:
        """Replace the reserved tokens of a request by its actual usage."""
        with self._lock:
            self.tokens += used - reserved
