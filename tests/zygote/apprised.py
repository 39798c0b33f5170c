"""Apprise with all of its services loaded, as it is once it was asked for one."""

import apprise

apprise.Apprise.instantiate("json://127.0.0.1")
