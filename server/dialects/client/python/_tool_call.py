"""What tells a call of a tool from every other, in LangChain's request."""


def key_of(request):
    """The option with which the client finds the question about this very call again."""
    # The message that calls is another one in each run, and the same in the checkpoint that another process goes on
    # from; the id of a call alone may come again, and an earlier yes with it.
    state, call = request.state, request.tool_call.get("id")
    messages = state["messages"] if isinstance(state, dict) else state.messages
    calling = [one for one in messages if call in [made["id"] for made in getattr(one, "tool_calls", None) or []]]
    thread, message = thread_of(request), calling[-1].id if calling else None
    return {"idempotency_key": "langchain %s %s %s" % (thread, message, call)} if call and thread and message else {}


def thread_of(request):
    """The id of the conversation, where it has one."""
    thread = ((request.runtime.config or {}).get("configurable") or {}).get("thread_id")
    return None if thread is None else str(thread)
