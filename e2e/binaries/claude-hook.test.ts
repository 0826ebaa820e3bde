import { deepStrictEqual, match } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { claudeCode } from './claude.ts';
import { DECIDED, driven, killed, UNDECIDED, WRITES } from './outcomes.ts';
import { REPLY_COUNT, startReplies } from './replies.ts';
import { openPeople, start, type People } from './scene.ts';

const calls = [{ name: 'Bash', input: { command: WRITES, description: 'Writes a file' } }];
const MODES = { PermissionRequest: 'default', PreToolUse: 'bypassPermissions' } as const;
const { '401': refused = {}, 'hub down': down = {} } = UNDECIDED;

/** What the model is told of its call, where it is not the tool's own words. */
const TOLD: Record<string, RegExp> = {
  reject: /Archive first\./,
  decline: /The person declined to answer this\./,
  'PermissionRequest nobody': /needs approval/,
  'PreToolUse 401': /This credential is not known here\./,
  'PreToolUse 422': /\/deadline must be seconds/,
  'PreToolUse 429': /Too many requests/,
  'PreToolUse expiry': /Nobody decided: this is neither a yes nor a no\./,
  'PreToolUse withdrawal': /taken back before anybody answered/,
  'PreToolUse hub stopping': /The hub is stopping/,
  'PreToolUse hub killed': /No decision came from the Beckon hub\./,
  'PreToolUse hub down': /No decision came from the Beckon hub\./,
};

describe('Claude Code with the hooks of the guide', { timeout: 600_000, concurrency: 2 }, () => {
  let people: People;
  before(async () => (people = await openPeople()));
  after(() => people?.hub.remove());

  for (const event of ['PermissionRequest', 'PreToolUse'] as const) {
    const mode = MODES[event];
    for (const [name, outcome] of Object.entries({ ...DECIDED, ...UNDECIDED }))
      test(`[DIA1] ${event} in ${mode}: ${name}`, async (t) => {
        const { ran, told } = await driven(t, people, { agent: claudeCode({ event, mode }), calls, outcome });
        deepStrictEqual(ran, outcome.ran);
        const words = TOLD[name] ?? TOLD[`${event} ${name in UNDECIDED ? name : ''}`] ?? TOLD[`${event} nobody`];
        if (!ran) match(told, words ?? /^$/);
      });

    test(`[DIA1] ${event} in ${mode}: a Claude Code that is killed takes its question back`, async (t) => {
      await killed(await start(t, people, claudeCode({ event, mode }), { calls }));
    });
  }

  // A hub that does not answer at all, until the hook's own time is over.
  const change = (settings: string) => settings.replace('"timeout": 3660', '"timeout": 1');

  test('[DIA1] PreToolUse in bypassPermissions: a hook that takes too long blocks its tool', async (t) => {
    const agent = claudeCode({ event: 'PreToolUse', mode: 'bypassPermissions', change });
    const { ran, told } = await driven(t, people, { agent, calls, outcome: {} });
    deepStrictEqual(ran, undefined);
    match(told, /blocking because onFailure is "block"/);
  });

  const open = (settings: string) => settings.replace(/,\s*"onFailure": "block"/, '');

  for (const mode of ['acceptEdits', 'bypassPermissions'] as const) {
    for (const [name, outcome] of Object.entries({ 401: refused, 'hub down': down }))
      test(`[DIA7] the line blocks the tool in ${mode} without "onFailure" too: ${name}`, async (t) => {
        const agent = claudeCode({ event: 'PreToolUse', mode, change: open });
        deepStrictEqual((await driven(t, people, { agent, calls, outcome })).ran, undefined);
      });

    test(`without "onFailure" Claude Code runs the tool in ${mode}, nobody asked, after a hook that takes too long`, async (t) => {
      const agent = claudeCode({ event: 'PreToolUse', mode, change: (settings) => open(change(settings)) });
      deepStrictEqual((await driven(t, people, { agent, calls, outcome: {} })).ran, 'asked');
    });
  }

  test('[DIA7] PreToolUse in bypassPermissions: what is no reply of the hub blocks the tool', async (t) => {
    const elsewhere = await startReplies(t);
    const to = (settings: string) => settings.replace(/http:[^?]*claude-hook/, `${elsewhere}/v1/ask/claude-hook`);
    const agent = claudeCode({ event: 'PreToolUse', mode: 'bypassPermissions', change: to });
    const many = Array.from({ length: REPLY_COUNT }, () => calls[0]!);
    const { ran, told } = await driven(t, people, { agent, calls: many, outcome: {} });
    // The line itself, which is told too, holds the words.
    deepStrictEqual([ran, told.split(']: No decision came from the Beckon hub.').length - 1], [undefined, REPLY_COUNT]);
  });
});
