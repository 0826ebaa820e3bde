"""An approval holds until an instant, and nothing of it runs after that."""

from . import AskError, _hub_time, _still_valid


def ended(error):
    """The words for the model where the approval had ended as it was read; any other refusal is raised."""
    if error.code != "ask.ended":
        raise error
    return str(error)


def resolved(ask):
    """The resolution that `ask()` returns, and one that is no yes where its approval had ended."""
    try:
        return ask()
    except AskError as error:
        return {"outcome": "expired", "text": ended(error)}


async def awaited(asking):
    """As `resolved`."""
    try:
        return await asking
    except AskError as error:
        return {"outcome": "expired", "text": ended(error)}


def in_time(decision):
    """The same decision about an interruption, or a refusal where it ended while others were decided."""
    try:
        _still_valid(decision.get("validUntil"), _hub_time())
        return decision
    except AskError as error:
        return {"approve": False, "message": ended(error)}
