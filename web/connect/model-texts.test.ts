import { deepStrictEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { TEXTS } from '#shared/texts/outcomes.ts';
import { TO_THE_MODEL } from './model-texts.ts';

test('the guide shows what to tell the model, word for word and in its order', () => {
  const guide = readFileSync(new URL('../../infra/connect-your-agent.md', import.meta.url), 'utf8');
  const [, section = ''] = guide.split('\n## What to tell the model\n');
  const blocks = [...(section.split('\n## ')[0] ?? '').matchAll(/^```text\n(.*?)\n```$/gms)].map(([, text]) => text);
  deepStrictEqual(blocks, [...Object.values(TO_THE_MODEL.en), ...Object.values(TO_THE_MODEL.zh)]);
});

test('the model is spoken to as a colleague', () => {
  const told = Object.values({ en: [TO_THE_MODEL.en, TEXTS.en], zh: [TO_THE_MODEL.zh, TEXTS.zh] }).flat();
  const named = told.flatMap((texts) =>
    Object.values(texts).flatMap(
      (text) => text.match(/\bhumans?\b|\btools?\b|\bLLMs?\b|\bmodels?\b|人类|真人|工具|模型/gi) ?? [],
    ),
  );
  deepStrictEqual(named, []);
});
