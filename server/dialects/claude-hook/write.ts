import { z } from 'zod';
import { allowed, verdictOf } from '../coding/call.ts';
import type { Answered } from '../dialect.ts';
import { elicitResultOf } from '../elicitation/write.ts';

const Kept = z.object({ event: z.enum(['PreToolUse', 'PermissionRequest', 'Elicitation']) });

/** The hook's JSON. Where nobody decided Claude asks in its terminal, and without one runs nothing. */
export function write(keep: unknown, inquiries: Answered[]): unknown {
  const { event } = Kept.parse(keep);
  switch (event) {
    case 'PreToolUse':
      return ofCall(keep, inquiries);
    case 'PermissionRequest':
      return ofPermission(keep, inquiries);
    case 'Elicitation': {
      const [inquiry] = inquiries;
      const result = inquiry && elicitResultOf(inquiry);
      return result && result.action !== 'cancel' ? hook(event, result) : {};
    }
  }
}

/** A call that needs nobody's leave. */
export function allowedUnasked(event: 'PreToolUse' | 'PermissionRequest'): unknown {
  return event === 'PreToolUse'
    ? hook(event, { permissionDecision: 'allow' })
    : hook(event, { decision: { behavior: 'allow' } });
}

/** Denied with the words: in a terminal too nobody would read all of it, and its model can do the same in parts. */
export function tooLong(keep: unknown, inquiries: Answered[]): unknown {
  const { event } = Kept.parse(keep);
  const words = inquiries[0]?.resolution.text ?? '';
  return event === 'Elicitation' ? write(keep, inquiries) : denied(event, `${words} Do it in smaller parts.`);
}

/**
 * Nobody decided, for whichever event. `{}` after PreToolUse runs the tool where edits or all calls are allowed, so that
 * a body which cannot be read is taken for one.
 */
export function undecided(body: unknown): (reason: string) => unknown {
  const { hook_event_name: event } = (body ?? {}) as { hook_event_name?: unknown };
  return typeof event === 'string' && event !== 'PreToolUse' ? () => ({}) : ask;
}

function ofCall(keep: unknown, inquiries: Answered[]): unknown {
  const verdict = verdictOf(keep, inquiries);
  switch (verdict.type) {
    case 'allow': {
      const changed = verdict.input === undefined ? {} : { updatedInput: verdict.input };
      return hook('PreToolUse', { permissionDecision: 'allow', ...changed });
    }
    case 'deny':
      return denied('PreToolUse', verdict.words);
    case 'nobody':
      return ask(verdict.words);
  }
}

function ofPermission(keep: unknown, inquiries: Answered[]): unknown {
  const verdict = verdictOf(keep, inquiries);
  switch (verdict.type) {
    case 'allow':
      return hook('PermissionRequest', { decision: allowed(verdict) });
    case 'deny':
      return denied('PermissionRequest', verdict.words);
    case 'nobody':
      return {};
  }
}

function denied(event: 'PreToolUse' | 'PermissionRequest', words: string): unknown {
  return event === 'PreToolUse'
    ? hook(event, { permissionDecision: 'deny', permissionDecisionReason: words })
    : hook(event, { decision: { behavior: 'deny', message: words } });
}

function ask(reason: string): unknown {
  return hook('PreToolUse', { permissionDecision: 'ask', permissionDecisionReason: reason });
}

function hook(hookEventName: string, members: object): unknown {
  return { hookSpecificOutput: { hookEventName, ...members } };
}
