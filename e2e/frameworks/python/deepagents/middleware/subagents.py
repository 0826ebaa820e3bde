"""Stands in for deepagents.middleware.subagents: the spec of the sub-agent that deepagents 0.7 adds by itself."""

GENERAL_PURPOSE_SUBAGENT = {
    "name": "general-purpose",
    "description": "General-purpose agent.",
    "system_prompt": "You are a general-purpose agent.",
}
