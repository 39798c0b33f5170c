"""The places that are told about alerts: one table for each kind, with what its destination needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import Field

from driftwatch.config.arguments import mask_command
from driftwatch.config.secret import MASK, shown
from driftwatch.config.table import Conflict, Table, same_header_twice
from driftwatch.config.template import Template
from driftwatch.config.values import (
    HOW_TO_MAKE_A_SIGNING_KEY,
    Count,
    Headers,
    Host,
    Key,
    Line,
    Mailbox,
    Mailboxes,
    Name,
    Seconds,
    SecretLine,
    SecretUrl,
    Shape,
    Text,
    Token,
    Url,
    Variables,
    WebhookSecret,
)
from driftwatch.config.words import closest
from driftwatch.model import Axis, Severity

PAGERDUTY: Final = "https://events.pagerduty.com/v2/enqueue"


class ChannelConfig(Table):
    """What every place has in common."""

    name: Name = Field(description="The table's own name.")
    kind: str = Field(default="webhook", description="What sort of place it is.")
    min_severity: Severity = Field(
        default=Severity.MEDIUM, description="The least severity that this place is told about."
    )
    axes: Annotated[tuple[Axis, ...], Shape('array of "security" or "contract"')] = Field(
        default=(), description="The axes that this place is told about; none named: both."
    )
    areas: tuple[Line, ...] = Field(
        default=(), description="The areas of rules that this place is told about; none named: all."
    )
    timeout: Seconds = Field(default=10.0, description="Until one delivery is answered.")
    max_attempts: Count = Field(
        default=150,
        description="How often a delivery is tried before it is given up; three days are the most.",
    )
    title: Template | None = Field(default=None, description="A title of your own for each message, as a template.")
    body: Template | None = Field(default=None, description="A text of your own for each message, as a template.")

    gathers: ClassVar[bool] = True
    """Whether the window of a route holds messages for such a place; one that groups alerts by itself wants each."""

    hears_acknowledgements: ClassVar[bool] = True
    """Whether such a place is told that a person has acknowledged an alert."""

    @property
    def shown_url(self) -> str:
        """Where it leads, as it may be shown."""
        return MASK

    @classmethod
    def _meant(cls, key: str) -> str:
        """Say which kind has a key, where this one has not and no key of it is near."""
        kinds = [word for word, kind in KINDS.items() if key in kind.model_fields]
        if key == "name" or not kinds or closest(key, cls.model_fields):
            return super()._meant(key)
        return f"only a channel of the kind {' or '.join(kinds)} has it"


class WebhookConfig(ChannelConfig):
    """A receiver of your own: a signed POST of the whole message, after Standard Webhooks."""

    kind: Literal["webhook"] = Field(default="webhook", description="What sort of place it is.")
    url: Url = Field(description="Where alerts are sent by POST.")
    secret: WebhookSecret = Field(
        description="What signs the alerts (Standard Webhooks): `whsec_` and 24 to 64 bytes in base64; "
        f"{HOW_TO_MAKE_A_SIGNING_KEY}."
    )
    old_secret: WebhookSecret | None = Field(
        default=None,
        description="Signs as well while receivers change from one secret to the next; take it out afterwards.",
    )
    headers: Headers = Field(default={}, description="Headers to send along, each a secret.")

    @property
    def shown_url(self) -> str:
        """The URL as it may be shown."""
        return shown(self.url)

    @classmethod
    def conflicts(cls, given: Mapping[str, Any]) -> Iterator[Conflict]:
        """Hold one value for each header."""
        yield from same_header_twice(given)


class SlackConfig(ChannelConfig):
    """A Slack channel, by an incoming webhook."""

    kind: Literal["slack"] = Field(description="What sort of place it is.")
    url: SecretUrl = Field(description="The URL of the incoming webhook: whoever has it can post, so it is a secret.")


class PagerDutyConfig(ChannelConfig):
    """A PagerDuty service, by the Events API v2."""

    kind: Literal["pagerduty"] = Field(description="What sort of place it is.")
    routing_key: Key = Field(description="The integration key of the service.")
    url: Url = Field(default=PAGERDUTY, description="The Events API; another one in the EU region.")

    @property
    def shown_url(self) -> str:
        """The URL as it may be shown."""
        return shown(self.url)


class AlertmanagerConfig(ChannelConfig):
    """A Prometheus Alertmanager, by its API v2."""

    gathers = False
    hears_acknowledgements = False

    kind: Literal["alertmanager"] = Field(description="What sort of place it is.")
    url: Url = Field(description="Its own address, with a path prefix if it has one: `https://alerts.example.com`.")
    bearer: Token | None = Field(default=None, description="A token for the Authorization header.")
    headers: Headers = Field(default={}, description="Headers to send along, each a secret.")
    resend: Seconds = Field(
        default=300.0, description="How often open alerts are posted again, so that a restart of it forgets none."
    )

    @property
    def shown_url(self) -> str:
        """The URL as it may be shown."""
        return shown(self.url)

    @classmethod
    def conflicts(cls, given: Mapping[str, Any]) -> Iterator[Conflict]:
        """Hold one value for each header."""
        yield from same_header_twice(given)


class EmailConfig(ChannelConfig):
    """Mailboxes, by a mail server (SMTP)."""

    hears_acknowledgements = False

    kind: Literal["email"] = Field(description="What sort of place it is.")
    host: Host = Field(description="The mail server.")
    port: int = Field(default=587, strict=True, ge=1, le=65_535, description="Its port.")
    security: Literal["starttls", "tls", "none"] = Field(
        default="starttls", description="How the connection is secured; none only on a machine of your own."
    )
    username: Line | None = Field(default=None, description="Who signs in, if anybody has to.")
    password: SecretLine | None = Field(default=None, description="What they sign in with.")
    sender: Mailbox = Field(description="Whom the mail is from.")
    to: Mailboxes = Field(description="Who gets it.")

    @property
    def shown_url(self) -> str:
        """The mail server."""
        return f"{shown(self.host)}:{self.port}"

    @classmethod
    def conflicts(cls, given: Mapping[str, Any]) -> Iterator[Conflict]:
        """Hold name and password together, and never in clear text."""
        if bool(given.get("username")) != bool(given.get("password")):
            key = "password" if given.get("username") else "username"
            yield Conflict(key, "username and password go together", "write both, or neither")
        if given.get("security") == "none" and given.get("password"):
            yield Conflict("security", "the password would go in clear text", 'write "starttls" or "tls"')


class AppriseConfig(ChannelConfig):
    """Any service that Apprise knows, by its URL. Needs `pip install 'mcp-driftwatch[apprise]'`."""

    hears_acknowledgements = False

    kind: Literal["apprise"] = Field(description="What sort of place it is.")
    url: SecretLine = Field(description="The service as Apprise writes it, such as `ntfy://topic`; it is a secret.")


class CommandConfig(ChannelConfig):
    """A program on this machine, which gets the message as JSON on its standard input. No shell takes part."""

    kind: Literal["command"] = Field(description="What sort of place it is.")
    command: Line = Field(description="The program.")
    args: tuple[Text, ...] = Field(default=(), description="Its arguments, one each.")
    env: Variables = Field(default={}, description="Variables for it, each a secret, besides PATH, HOME and LANG.")
    cwd: Line | None = Field(default=None, description="The folder that it runs in, relative to this file's.")

    @property
    def shown_url(self) -> str:
        """The command line as it may be shown."""
        return " ".join(shown(word) for word in (self.command, *self.args))

    @classmethod
    def prepare(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Let the arguments know how they may be shown."""
        mask_command(given)
        return given


KINDS: Final[Mapping[str, type[ChannelConfig]]] = {
    "webhook": WebhookConfig,
    "slack": SlackConfig,
    "pagerduty": PagerDutyConfig,
    "alertmanager": AlertmanagerConfig,
    "email": EmailConfig,
    "apprise": AppriseConfig,
    "command": CommandConfig,
}
"""Every kind of channel, by the word for it."""
