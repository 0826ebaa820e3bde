import { deepStrictEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { stampFace } from './pattern.ts';

test('a source has the same stamp every time, and another source another one', () => {
  deepStrictEqual(stampFace('src_01', 'Release train'), stampFace('src_01', 'Release train'));
  const faces = Array.from({ length: 40 }, (_, at) => stampFace(`src_${at}`, 'n8n').lines);
  equal(new Set(faces).size > 20, true);
});

test('the letters of a stamp come from the name, in any script', () => {
  deepStrictEqual(
    ['Release train', 'Codex', 'n8n', '发布班车', 'claude-code', '\u202ECI \u200Bbot', ''].map(
      (name) => stampFace('src_1', name).letters,
    ),
    ['RT', 'Cx', 'Nn', '发', 'CC', 'CB', '?'],
  );
});
