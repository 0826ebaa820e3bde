import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { parseActs, parseBlocks, isPatch } from './patch.ts';

const CODEX = `*** Begin Patch
*** Delete File: src/old.ts
*** Update File: src/a.ts
*** Move to: src/b.ts
@@ export
 keep
-cut
+add
*** Add File: src/new.ts
+one
*** End Patch
`;
const UNIFIED = `diff --git a/src/a.ts b/src/a.ts
index 12ab..34cd 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,2 +1,2 @@
 keep
-cut
+add
diff --git a/gone.ts b/gone.ts
deleted file mode 100644
--- a/gone.ts
+++ /dev/null
@@ -1 +0,0 @@
-all
\\ No newline at end of file
diff --git a/was.ts b/is.ts
similarity index 100%
rename from was.ts
rename to is.ts
`;

test('a patch says which files it adds, changes, deletes and moves', () => {
  deepStrictEqual(
    [parseActs(CODEX), parseActs(UNIFIED)],
    [
      [
        { does: 'delete', path: 'src/old.ts' },
        { does: 'move', path: 'src/a.ts', to: 'src/b.ts' },
        { does: 'add', path: 'src/new.ts' },
      ],
      [
        { does: 'change', path: 'src/a.ts' },
        { does: 'delete', path: 'gone.ts' },
        { does: 'move', path: 'was.ts', to: 'is.ts' },
      ],
    ],
  );
});

test('words with dashes and shell commands are no patch', () => {
  deepStrictEqual(
    [
      CODEX,
      UNIFIED,
      '--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y',
      '- one\n- two\n+ three',
      '--- \n\nTitle',
      'git diff --git a',
    ].map(isPatch),
    [true, true, true, false, false, false],
  );
});

test('no line of a patch is left out', () => {
  const linesOf = (text: string) =>
    parseBlocks(text).flatMap((block) =>
      'head' in block
        ? [block.head]
        : block.lines.map((line) => {
            if (line.kind === 'alike') throw new Error('folded');
            return { add: '+', cut: '-', same: ' ' }[line.kind] + line.text;
          }),
    );
  deepStrictEqual([linesOf(CODEX), linesOf(UNIFIED)], [CODEX.trimEnd().split('\n'), UNIFIED.trimEnd().split('\n')]);
});
