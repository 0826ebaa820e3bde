import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { writePage } from './pages.ts';

test('[LIV2] a page is written entry by entry, with everything else in between, and reads as if at once', async () => {
  const pages = [
    { items: [] },
    { items: [{ a: 'ä"' }, [1], null], nextCursor: 'inq_1' },
    { items: [{}], webhooks: [] },
  ];
  let turns = 0;
  for (const page of pages) {
    const text = await writePage(page, async () => void (turns += 1));
    strictEqual(text, JSON.stringify(page));
  }
  deepStrictEqual(turns, 4);
});
