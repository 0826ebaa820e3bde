import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { invalid, toFaults } from './faults.ts';
import { OwnHeaders } from './policies/gate.ts';
import { Ask } from './inquiry.ts';
import { parseExact } from './json.ts';

test('[ASK3] every fault is named with its place, as the rest of a sentence', () => {
  const asked = {
    to: [],
    title: 'x'.repeat(141),
    promt: 'Ship?',
    deadline: 'tomorrow',
    latest: 0,
    key: '',
    questions: [{ id: 'a', prompt: 'b', type: 'c' }],
    actions: [{ name: 'a', args: null, argsSchema: parseExact('1.0'), allowed: ['edit'] }],
    link: { url: 'example', completes: 'self' },
    context: { links: Array.from({ length: 100 }, () => ({ label: 'a', url: 'https://example.com' })) },
  };
  const parsed = Ask.safeParse(asked);
  deepStrictEqual(parsed.success ? [] : toFaults(parsed.error).map(({ path, message }) => `${path} ${message}`), [
    '/to is empty',
    '/title is longer than 140 characters',
    '/questions/0/type must be one of text, choice, multi, form',
    '/actions/0/argsSchema must be an object',
    '/link/url is not a valid URL',
    '/key is empty',
    '/context/links has more than 20 entries',
    '/deadline must be seconds from now or an instant like 2027-01-31T12:00:00Z',
    '/latest must be more than 0',
    '/promt is not a member this call knows',
  ]);
});

test('[ASK3] a name that is not valid is refused in the words of its own schema', () => {
  const parsed = OwnHeaders.safeParse({ 'X Team': 'night' });
  deepStrictEqual(parsed.success ? [] : toFaults(parsed.error), [
    { path: '/X Team', code: 'field.invalid_key', message: 'is not a header name (RFC 9110, 5.1)' },
  ]);
});

test('[ASK3] what is said of all faults is one sentence, also where a fault ends as one', () => {
  const fault = { path: '', code: 'text.unsafe', message: 'cannot be taken: A member stands twice in it.' };
  deepStrictEqual(invalid([fault]).message, 'The body cannot be taken: A member stands twice in it.');
});
