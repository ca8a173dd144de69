"""Five hundred tools of twenty-five services, as a large host might gather them."""

from qitos_like import ToolMeta, ToolRegistry

NOUNS = {
    "github": ["pull request", "issue", "repository", "branch"],
    "gitlab": ["merge request", "pipeline", "runner", "snippet"],
    "jira": ["ticket", "sprint", "board", "epic"],
    "slack": ["channel message", "channel", "reaction", "reminder"],
    "mail": ["email", "draft", "mailbox folder", "attachment"],
    "calendar": ["event", "invitation", "availability slot", "meeting room"],
    "drive": ["document", "folder", "share link", "file comment"],
    "sheets": ["spreadsheet", "cell range", "chart", "pivot table"],
    "aws": ["virtual machine", "storage bucket", "security group", "load balancer"],
    "kubernetes": ["pod", "deployment", "config map", "node"],
    "postgres": ["database table", "index", "SQL query", "database user"],
    "redis": ["cache key", "stream", "lock", "expiry time"],
    "stripe": ["payment", "refund", "customer", "subscription"],
    "shop": ["product", "order", "discount code", "shopping cart"],
    "crm": ["lead", "account", "deal", "sales note"],
    "maps": ["driving route", "place", "travel time", "street address"],
    "weather": ["forecast", "weather alert", "rain radar image", "air quality value"],
    "flights": ["flight", "seat", "boarding pass", "baggage"],
    "hotels": ["hotel booking", "room", "guest review", "check-in"],
    "music": ["playlist", "song", "album", "podcast episode"],
    "photos": ["photo", "photo album", "face tag", "caption"],
    "health": ["heart rate sample", "workout", "sleep record", "medication"],
    "finance": ["stock quote", "bank transaction", "exchange rate", "invoice"],
    "news": ["headline", "article", "topic feed", "press source"],
    "home": ["light", "thermostat", "door lock", "camera"],
}
VERBS = {
    "list": ("List every {} that matches a filter.", ["filter", "limit"]),
    "get": ("Show one {} with all its details.", ["id"]),
    "create": ("Create a new {}.", ["title", "details"]),
    "update": ("Change fields of a {}.", ["id", "changes"]),
    "delete": ("Delete a {} for good.", ["id"]),
}


def catalogue():
    """The registry."""
    registry = ToolRegistry()
    for service, nouns in NOUNS.items():
        for noun in nouns:
            for verb, (text, parameters) in VERBS.items():
                name = f"{verb}_{noun.lower().replace(' ', '_')}"
                meta = ToolMeta(
                    name=name,
                    description=text.format(noun),
                    parameters={each: {"type": "string"} for each in parameters},
                )
                registry.register(_tool_named(name), meta=meta, namespace=service)
    return registry


def _tool_named(name):
    def run(**arguments: str) -> str:
        return f"{name} {sorted(arguments.items())}"

    return run
