import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseState } from './state.ts';

test('the tasks of a state keep their numbers, whatever the conversation beside them holds', () => {
  const deep = `${'['.repeat(100)}"]},\\"tasks\\":1"${']'.repeat(100)}`;
  const text = `{"values":{"__proto__":"\\u0000","tasks":[7],"deep":${deep}} ,\n"tasks" : [{"interrupts":[{"value":{"amount":9007199254740993,"of":1.0}}]}],"next":[]}`;
  assert.equal(
    JSON.stringify((parseState(text) as { tasks: unknown }).tasks),
    '[{"interrupts":[{"value":{"amount":9007199254740993,"of":1.0}}]}]',
  );
});

test('a state reads as JSON does, wherever its tasks stand', () => {
  const value = fc.json({ maxDepth: 3 }).filter((text) => !/__proto__|\\u0000|\\ud[89a-f]/i.test(text));
  fc.assert(
    fc.property(fc.array(value, { maxLength: 4 }), value, fc.nat(4), (others, tasks, place) => {
      const members = others.map((other, at) => ` "m${at}" : ${other} `);
      members.splice(place, 0, `"tasks":${tasks}`);
      const text = `{${members.join(',')}}`;
      assert.equal(JSON.stringify(parseState(text)), JSON.stringify(JSON.parse(text)));
    }),
    { numRuns: 300 },
  );
});

test('tasks that no ask could hold are refused, and what is no state is handed on', () => {
  assert.throws(() => parseState('{"tasks":["\\u0000"]}'), { kind: 'unsafe' });
  assert.throws(() => parseState(`{"tasks":["${'x'.repeat(1_048_576)}"]}`), { kind: 'unsafe' });
  assert.throws(() => parseState('{"tasks":'), SyntaxError);
  assert.deepEqual(parseState('[1]'), [1]);
  assert.deepEqual(parseState('{"a":{"tasks":1}}'), { a: { tasks: 1 } });
});
