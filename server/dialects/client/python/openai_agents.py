"""Runs an agent of the OpenAI Agents SDK whose tool calls people decide. Needs the package openai-agents."""

import asyncio
import json
import os
import pathlib
import uuid

from agents import Runner, RunState

from . import AskError, AsyncClient
from ._ended import ended, in_time


async def run_with_people(agent, input, *, file=None, ask=None, **options):
    """The result of `Runner.run(agent, input, **options)`, whose interruptions people have decided, each by itself.

    What nobody approved does not run; the model is told why. "Always" holds for the run, where a person said so. With
    `file`, a path of this run alone, the run that waits is kept there: started again, also by another process, it goes on
    from there, whatever `input` is then, and nobody is asked twice. Without it the end of the process takes its questions
    back. `ask`: options of the client, as `deadline`. Raises where the hub stays out of reach; no call runs then.
    """
    beckon, file = AsyncClient(**(ask or {})), pathlib.Path(file) if file else None
    kept = json.loads(file.read_text("utf8")) if file and file.exists() else None
    run, round = (kept["run"], kept["round"]) if kept else (str(uuid.uuid4()), 0)
    context = {"context_override": options["context"]} if options.get("context") is not None else {}
    state = await RunState.from_string(agent, kept["state"], **context) if kept else None
    result = None if kept else await Runner.run(agent, input, **options)
    while result is None or result.interruptions:
        if result is not None:
            state, round = result.to_state(), round + 1
            if file:
                _write(file, {"run": run, "round": round, "state": state.to_string()})
        items = state.get_interruptions()
        # The id of a call may come again, in a later run, in a later round of this one and beside it in a nested agent.
        places = ["openai-agents %s %d %d" % (run, round, at) if file else None for at in range(len(items))]
        asked = [asyncio.ensure_future(_decision(beckon, item, place)) for item, place in zip(items, places)]
        try:
            _apply(state, items, [in_time(one) for one in await asyncio.gather(*asked)])
        finally:
            for one in asked:
                one.cancel()
        result = await Runner.run(agent, state, **options)
    if file:
        file.unlink(missing_ok=True)
    return result


async def _decision(beckon, item, place):
    raw = item.raw_item if isinstance(item.raw_item, dict) else item.raw_item.model_dump(mode="json")
    # What has no arguments is shown whole: nobody approves what they cannot see.
    shown = json.dumps(raw) if item.arguments is None else item.arguments
    call = {**raw, "callId": raw.get("call_id") or raw.get("id"), "name": item.name, "arguments": shown}
    native = {"providerData": raw} if raw.get("type") == "mcp_approval_request" else call
    body = [{"rawItem": native, "toolName": item.name, "agent": {"name": item.agent.name}}]
    key = {"idempotency_key": "%s %s" % (place, call["callId"])} if place else {}
    try:
        return (await beckon.ask("openai", body, **key))["decisions"][0]
    except AskError as error:
        return {"approve": False, "message": ended(error)}


def _apply(state, items, decisions):
    ended = {(item.name, one["approve"]) for item, one in zip(items, decisions)}
    for item, one in zip(items, decisions):
        # The SDK's "always" would undo what was decided about the tool's other calls.
        always = bool(one.get("always")) and (item.name, not one["approve"]) not in ended
        if one["approve"]:
            state.approve(item, always_approve=always)
        else:
            state.reject(item, always_reject=always, rejection_message=one.get("message"))


def _write(file, kept):
    """It holds the conversation: only its owner reads it, and a crash leaves the one before."""
    made = file.with_name(file.name + ".new")
    with open(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf8") as out:
        json.dump(kept, out)
    os.replace(made, file)
