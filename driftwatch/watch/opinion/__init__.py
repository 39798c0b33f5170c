"""The second opinion: a model that a person configured is asked what it makes of suspect texts."""
