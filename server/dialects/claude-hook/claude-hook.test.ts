import { deepStrictEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { read } from './read.ts';
import { undecided } from './write.ts';

const event = (hook_event_name: string, more: object) => ({ session_id: 's', hook_event_name, ...more });
const bash = { tool_name: 'Bash', tool_input: { command: 'rm -r build' } };

function aboutOf(body: unknown) {
  const given = read(body, {});
  ok('asks' in given || 'withdraw' in given);
  return 'asks' in given ? given.about : given.withdraw;
}

test('[RES4] a call that nobody could be asked about is left to the terminal, never to the mode', () => {
  const ask = {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'ask',
      permissionDecisionReason: 'The hub stops.',
    },
  };
  const bodies = [event('PermissionRequest', bash), event('PreToolUse', bash), event('Stop', {}), undefined, 'x', [7]];
  deepStrictEqual(
    bodies.map((body) => undecided(body)('The hub stops.')),
    [{}, ask, {}, ask, ask, ask],
  );
});

test('a call that ran takes back its permission, and no other call before its tool', () => {
  const [ran, permission, before] = ['PostToolUse', 'PermissionRequest', 'PreToolUse'].map((name) =>
    aboutOf(event(name, { ...bash, tool_use_id: 'toolu_1' })),
  );
  deepStrictEqual([ran, before], [permission, { session: 's', call: 'toolu_1' }]);
});
