import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Decision } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { editedCall } from './changes.ts';

const asked = (args: object, argsText?: string): Inquiry =>
  ({ actions: [{ name: 'refund', args }], ...(argsText ? { argsText: [argsText] } : {}) }) as unknown as Inquiry;
const edited = (inquiry: Inquiry, decision: Decision) => {
  const { changed, same } = editedCall(inquiry, 0, decision) ?? {};
  return { changed, same };
};

test('an edited call is each argument that differs, by where it stands, and those that stay', () => {
  const args = { to: 'Anna', amount: 34_000, items: [{ sku: 'A-1', count: 2 }], note: 'broke' };
  deepStrictEqual(
    edited(asked(args), {
      type: 'edit',
      args: { to: 'Anna', amount: 17_000, items: [{ sku: 'A-1', count: 1 }], by: '7' },
    }),
    {
      changed: [
        { name: 'amount', before: '34000', after: '17000' },
        { name: 'items.1.count', before: '2', after: '1' },
        { name: 'note', before: 'broke' },
        { name: 'by', after: '"7"' },
      ],
      same: [
        { name: 'to', after: 'Anna' },
        { name: 'items.1.sku', after: 'A-1' },
      ],
    },
  );
});

test('a number keeps its digits, and no member hides another of the same name', () => {
  const exact = '{"id":12345678901234567890}';
  const inquiry = asked(JSON.parse(exact) as object, exact);
  deepStrictEqual(edited(inquiry, { type: 'edit', argsText: '{"id":12345678901234567891,"id":1}' }).changed, [
    { name: 'id', before: '12345678901234567890', after: '12345678901234567891' },
    { name: 'id ', after: '1' },
  ]);
});

test('a secret that was edited is told to differ and not shown, in a text neither', () => {
  const args = { token: 'sk-live-123456789', curl: 'curl -H "Authorization: Bearer abcdefgh12345678" x.org' };
  const other = { token: 'sk-live-987654321', curl: 'curl -H "Authorization: Bearer hgfedcba87654321" y.org' };
  deepStrictEqual(edited(asked(args), { type: 'edit', args: other }).changed, [
    { name: 'token', before: '••••', after: '••••' },
    {
      name: 'curl',
      before: 'curl -H "Authorization: ••••" x.org',
      after: 'curl -H "Authorization: ••••" y.org',
    },
  ]);
});

test('of two long texts only what differs is shown, with a little around it', () => {
  const [head, tail] = ['a'.repeat(200), 'z'.repeat(200)];
  const change = edited(asked({ text: `${head}1${tail}` }), { type: 'edit', args: { text: `${head}22${tail}` } });
  deepStrictEqual(change.changed, [
    { name: 'text', before: `…${'a'.repeat(40)}1${'z'.repeat(40)}…`, after: `…${'a'.repeat(40)}22${'z'.repeat(40)}…` },
  ]);
});

test('what was approved as it was has no changes', () => {
  deepStrictEqual(editedCall(asked({ to: 'Anna' }), 0, { type: 'approve' }), undefined);
});
