"""What a judge may cost."""

import threading

from pptarena.errors import JudgeBudgetError

__all__ = ["Budget"]


class Budget:
    """Counts requests and tokens; safe to share between threads.

    Tokens are reserved before a request by an estimate that is rather too high, and corrected by
    what the endpoint counted. So requests at the same time cannot overspend together.

    Args:
        max_calls: Most requests.
        max_tokens: Most tokens.
    """

    def __init__(self, max_calls: int, max_tokens: int) -> None:
        self.max_calls = max_calls
        self.max_tokens = max_tokens
        self.calls = 0
        self.tokens = 0
        self._lock = threading.Lock()

    def reserve(self, tokens: int) -> None:
        """Take note of a request that will need so many tokens.

        Raises:
            JudgeBudgetError: If that is more than is left; then nothing is taken.
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
        """Replace what was reserved for a request by what it used."""
        with self._lock:
            self.tokens += used - reserved
