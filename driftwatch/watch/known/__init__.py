"""What is known of a server beside the two lists: gathered from the store for the rules and the policy."""

from driftwatch.watch.known.gather import before_of, facts_of, key_of
from driftwatch.watch.known.watching import watching_of
from driftwatch.watch.policy import policy_of

__all__ = ["before_of", "facts_of", "key_of", "policy_of", "watching_of"]
