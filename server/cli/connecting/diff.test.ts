import { strictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { writeDiff } from './diff.ts';
import type { Change } from './files.ts';

const change = (before: string | undefined, after: string | undefined): Change => ({
  part: { file: '/home/Zoë/mcp.json' } as Change['part'],
  before,
  after,
});

test('a change is a unified diff with two lines around it, without its key, whatever ends the lines', () => {
  const lines = ['{', '  "a": 1,', '  "b": 2,', '  "c": 3', '}', ''];
  const changed = lines.toSpliced(3, 1, `  "key": "bks_${'k'.repeat(43)}"`);
  strictEqual(
    writeDiff(change(lines.join('\r\n'), changed.join('\n'))),
    `--- /home/Zoë/mcp.json
+++ /home/Zoë/mcp.json
@@ -2,4 +2,4 @@
   "a": 1,
   "b": 2,
-  "c": 3
+  "key": "bks_…"
 }`,
  );
});

test('a file that is made or goes away has nothing on its other side', () => {
  strictEqual(writeDiff(change(undefined, 'a\n \n')), '--- nothing\n+++ /home/Zoë/mcp.json\n@@ -0,0 +1,2 @@\n+a\n+ ');
  strictEqual(writeDiff(change('a\n', undefined)), '--- /home/Zoë/mcp.json\n+++ nothing\n@@ -1,1 +0,0 @@\n-a');
});
