import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { codexHook } from '../codex-hook/codex-hook.ts';
import { geminiHook } from '../gemini-hook/gemini-hook.ts';

const denied = { decision: 'deny', reason: 'The hub stops.' };

test('[RES4] Gemini CLI is told to deny by whatever it may take for a reply, and Codex asks itself', () => {
  const bodies = [{ hook_event_name: 'BeforeTool' }, { hook_event_name: 'AfterAgent' }, undefined, 'x', [7]];
  deepStrictEqual(
    bodies.map((body) => geminiHook.undecided?.(body)('The hub stops.')),
    [denied, {}, denied, denied, denied],
  );
  deepStrictEqual(geminiHook.besideProblem?.('The hub stops.'), denied);
  deepStrictEqual(
    bodies.map((body) => codexHook.undecided?.(body)('The hub stops.')),
    bodies.map(() => ({})),
  );
});
