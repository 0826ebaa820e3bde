import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../json.ts';
import { maskedArgs } from './masked.ts';

const shown = (rows: [args: Json, text: string][]) =>
  rows.map(([args]): [Json, string] => [args, maskedArgs('call', args, JSON.stringify(args))]);

test('what stands under, behind or beside the name of a secret is masked', () => {
  const rows: [args: Json, text: string][] = [
    [{ pw: 'hunter2' }, '{"pw":"••••"}'],
    [{ headers: [['Authorization', 'hunter2']] }, '{"headers":[["Authorization","••••"]]}'],
    [{ key: 'Authorization', val: 'hunter2' }, '{"key":"Authorization","val":"••••"}'],
    [{ key: 'DB_PASSWORD', data: 'hunter2' }, '{"key":"DB_PASSWORD","data":"••••"}'],
    [{ command: 'curl -uadmin:hunter2 a.example' }, '{"command":"curl -uadmin:•••• a.example"}'],
    [{ command: 'docker login -u anna -p hunter2 a.example' }, '{"command":"docker login -u anna -p •••• a.example"}'],
    [{ pin: 1234, dbPass: 'hunter2' }, '{"pin":"••••","dbPass":••••}'],
  ];
  deepStrictEqual(shown(rows), rows);
});

test('what only sounds like a secret is shown', () => {
  const rows: Json[] = [
    { bypass: true, use_password: false },
    { secretary: 'Anna', compass: 'north' },
    { max_tokens: 4096, token_limit: 10, maxTokens: 1 },
    ['a', 'b'],
  ];
  const texts = rows.map((args): [Json, string] => [args, JSON.stringify(args)]);
  deepStrictEqual(shown(texts), texts);
});
