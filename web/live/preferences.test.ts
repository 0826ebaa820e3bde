import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Me } from '#shared/wire.ts';
import { OWN_WAY, ownWays, preferencesFor, preferred } from './preferences.ts';
import { me } from './session.ts';

test('a choice for one source goes before the one for everywhere, and both before the page’s own way', () => {
  const seen = () => [preferred.value, preferencesFor('src_train'), preferencesFor('src_other')];
  const own = { questions: 'one', density: 'roomy', editor: 'rich', confirm: false, undoSeconds: 4, readToEnd: false };
  me.value = undefined;
  deepStrictEqual(seen(), [own, own, own]);
  me.value = {
    preferences: { density: 'compact', confirm: true, sources: { src_train: { confirm: false, questions: 'all' } } },
  } as unknown as Me;
  const everywhere = { ...own, density: 'compact', confirm: true };
  deepStrictEqual(seen(), [everywhere, { ...everywhere, confirm: false, questions: 'all' }, everywhere]);
});

test('what a page of an earlier version kept holds no choices', () => {
  me.value = { person: {}, device: {} } as unknown as Me;
  deepStrictEqual([preferred.value, ownWays.value], [OWN_WAY, {}]);
});
