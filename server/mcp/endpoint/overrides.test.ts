import { deepStrictEqual, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { readOverrides } from './overrides.ts';

test('a query parameter that /mcp does not know is refused and named, with those that it takes', () => {
  throws(() => readOverrides(new URLSearchParams('to=alice&colour=red')), {
    status: 400,
    code: 'mcp.bad_query',
    message:
      '"colour" is no query parameter of /mcp; it takes description, to, deadline, wait, locale, task, description.prompt and so on.',
  });
  deepStrictEqual(readOverrides(new URLSearchParams('to=alice&description.prompt=Ask')), {
    parameters: { prompt: 'Ask' },
    to: ['alice'],
  });
});
