import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { isHeld } from './held-key.ts';

test('[PAG2] a key that is held acts once, and only those that walk go on', () => {
  const keys = [
    'Enter',
    'Escape',
    'Delete',
    'Backspace',
    ' ',
    'y',
    'n',
    '1',
    'z',
    '?',
    'ArrowDown',
    'ArrowLeft',
    'j',
    'k',
  ];
  deepStrictEqual(
    [false, true].map((repeat) => keys.filter((key) => isHeld({ key, repeat }))),
    [[], ['Enter', 'Escape', 'Delete', 'Backspace', ' ', 'y', 'n', '1', 'z', '?']],
  );
});
