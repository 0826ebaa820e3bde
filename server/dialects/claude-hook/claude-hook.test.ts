import { deepStrictEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { refuse, TooLong, Unshowable } from '../take.ts';
import { claudeHook } from './claude-hook.ts';

const { read, undecided } = claudeHook;

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
    bodies.map((body) => undecided?.(body)('The hub stops.')),
    [{}, ask, {}, ask, ask, ask],
  );
});

const own = {
  tool_name: 'mcp__beckon__send_inquiry',
  tool_input: { prompt: 'Ship?' },
  tool_use_id: 'toolu_1',
  mcp_server: { name: 'beckon', source: 'user' },
};
const FOREIGN: Record<string, object> = {
  "a project's own server of this name": { ...own, mcp_server: { name: 'beckon', source: 'project' } },
  "a plugin's": { ...own, mcp_server: { name: 'beckon', source: 'plugin' } },
  'one that was started beside the settings': { ...own, mcp_server: { name: 'beckon', source: 'dynamic' } },
  'one whose name is written the same': { ...own, mcp_server: { name: 'beckon!', source: 'user' } },
  'one of which nothing is told': { ...own, mcp_server: undefined },
  'a list': { ...own, mcp_server: [own.mcp_server] },
  'a tool that is not ours': { ...own, tool_name: 'mcp__beckon__run' },
  'a tool of devices': { ...own, tool_name: 'mcp__beckon__answer_inquiry' },
  'a longer name': { ...own, tool_name: 'mcp__beckon__send_inquiry_now' },
  'another case': { ...own, tool_name: 'mcp__beckon__Send_Inquiry' },
  'a line more': { ...own, tool_name: 'mcp__beckon__send_inquiry\n' },
  'our tool by its bare name': { ...own, tool_name: 'send_inquiry' },
  'a tool of every object': { ...own, tool_name: 'mcp__beckon__constructor' },
};
for (const [what, call] of Object.entries(FOREIGN))
  test(`[DIA5] the hook decides nothing by itself about ${what}`, () => {
    for (const name of ['PermissionRequest', 'PreToolUse']) ok('asks' in read(event(name, call), {}));
  });

for (const [name, replied] of Object.entries({
  PermissionRequest: (message: string) => ({ decision: { behavior: 'deny', message } }),
  PreToolUse: (words: string) => ({ permissionDecision: 'deny', permissionDecisionReason: words }),
}))
  test(`[DIA3] a call that is too long to be shown is denied in words, after ${name} too`, () => {
    const asked = read(event(name, { ...bash, tool_use_id: 'toolu_1' }), {});
    ok('asks' in asked);
    const about = { source: 'Coder', now: 0 };
    const words = 'Nobody was asked and nobody decided: it is long. Do it in smaller parts.';
    deepStrictEqual(refuse(claudeHook, asked, { ...about, refused: new TooLong('it is long.') }), {
      hookSpecificOutput: { hookEventName: name, ...replied(words) },
    });
    // What cannot be shown otherwise is left to the terminal, as before.
    deepStrictEqual(
      refuse(claudeHook, asked, { ...about, refused: new Unshowable('it is odd.') }),
      undecided?.(event(name, {}))('Nobody was asked and nobody decided: it is odd.'),
    );
  });

test('a call that ran takes back its permission, and no other call before its tool', () => {
  const [ran, permission, before] = ['PostToolUse', 'PermissionRequest', 'PreToolUse'].map((name) =>
    aboutOf(event(name, { ...bash, tool_use_id: 'toolu_1' })),
  );
  deepStrictEqual([ran, before], [permission, { session: 's', call: 'toolu_1' }]);
});
