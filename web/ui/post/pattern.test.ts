import { deepStrictEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { sourceFace } from './pattern.ts';

test('a source has the same icon every time, and another source another one', () => {
  deepStrictEqual(sourceFace('src_01', 'Release train'), sourceFace('src_01', 'Release train'));
  const faces = Array.from({ length: 40 }, (_, at) => sourceFace(`src_${at}`, 'n8n').lines);
  equal(new Set(faces).size > 20, true);
});

test('the letters of an icon come from the name, in any script', () => {
  deepStrictEqual(
    ['Release train', 'Codex', 'n8n', '发布班车', 'claude-code', '\u202ECI \u200Bbot', ''].map(
      (name) => sourceFace('src_1', name).letters,
    ),
    ['RT', 'Cx', 'Nn', '发', 'CC', 'CB', '?'],
  );
});
