import { deepStrictEqual, match, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CHOICES, COMMAND_HERE, fill, GUIDES } from './choices.ts';
import { readClient, type Guides, toKey, readSnippets } from './guide.ts';

const read = (name: string): string => readFileSync(new URL(`../../infra/${name}.md`, import.meta.url), 'utf8');
const guides = Object.fromEntries(GUIDES.map((guide) => [guide, read(guide)])) as Guides;
const snippets = readSnippets(guides);
const ways = CHOICES.flatMap(({ id, ways: all }) => all.map((way) => ({ name: `${id} ${way.id}`, way })));
const textOf = (name: string): string => {
  const found = ways.find((one) => one.name === name);
  return (found && snippets[toKey(found.way)]?.text) ?? '';
};

test('each snippet that Connect shows stands in its guide, as does the file it belongs into', () => {
  for (const { name, way } of ways) {
    if (way.file !== undefined) ok(guides[way.guide].includes(way.file), `${name}: ${way.file}`);
    for (const place of [way, ...(readClient(way) ?? [])]) {
      const { language, text } = snippets[toKey(place)]!;
      const isWhole = guides[place.guide].includes(`\`\`\`${language}\n${text}\n\`\`\``);
      ok(isWhole || name === 'claude-code where-it-asks', name);
    }
  }
});

test('what a framework is told in JavaScript stands in the examples that the tests run', () => {
  const examples = { langgraph: ['langchain', 'deepagents'], openai: ['openai'], 'ai-sdk': ['ai-sdk'] };
  for (const [choice, folders] of Object.entries(examples)) {
    const paragraphs = textOf(`${choice} JavaScript`).split('\n\n').slice(1);
    match(paragraphs.join('\n'), /process\.on(?:ce)?\(.* stop\.abort[^]*await ask\([^]*signal: stop\.signal/);
    for (const folder of folders) {
      const example = readFileSync(new URL(`../../e2e/agents/${folder}/agent.mjs`, import.meta.url), 'utf8');
      for (const lines of paragraphs)
        ok(example.replaceAll(/^ +/gm, '').includes(lines.replaceAll(/^ +/gm, '')), folder);
    }
  }
});

test('one command connects an agent: beside the hub it makes a key, elsewhere it names the hub and asks for one', () => {
  const texts = (['claude', 'codex'] as const).map((agent) =>
    [COMMAND_HERE, { guide: 'connect-your-agent', under: 'One command', block: 1 } as const].map((place) =>
      fill(snippets[toKey(place)]?.text ?? '', {
        origin: 'https://hub.home.example',
        commandLine: 'npx beckon',
        agent,
        apiKey: undefined,
      }),
    ),
  );
  deepStrictEqual(
    [texts, ways.find(({ name }) => name === 'codex one-command')?.way.block],
    [
      [
        ['npx beckon connect claude', 'beckon connect claude --hub https://hub.home.example'],
        ['npx beckon connect codex', 'beckon connect codex --hub https://hub.home.example'],
      ],
      1,
    ],
  );
});

test("the settings of Claude Code are the guide's, with the guide's hook in each place", () => {
  const [, section = ''] = guides['claude-code'].split('\n## Hooks\n');
  const [settings, asks, tells] = [...section.matchAll(/```json\n(.*?)```/gs)].map(
    ([, json = '']) => JSON.parse(json) as object,
  );
  const filled = JSON.stringify(settings)
    .replaceAll('"ASKS"', JSON.stringify(asks))
    .replaceAll('"TELLS"', JSON.stringify(tells));
  deepStrictEqual(JSON.parse(textOf('claude-code where-it-asks')), JSON.parse(filled));
  deepStrictEqual(
    [asks, tells].map((hook) => (hook as { timeout: number }).timeout),
    [3660, 5],
  );
  ok(!/"(ASKS|TELLS)"/.test(filled));
});

test('whatever waits for the hub waits longer than the deadline it gives', () => {
  const TELLS_S = 5;
  const SECONDS: Record<string, number> = { 'gemini Gemini CLI': 1000, 'mcp Gemini CLI': 1000 };
  const nested = ways.flatMap(({ name }) => {
    const text = textOf(name);
    const deadlines = [...text.matchAll(/\?deadline=(\d+)/g)].map(([, seconds]) => Number(seconds));
    const waits = [...text.matchAll(/timeout(?:_sec)?"?(?: =|:) (\d+)/g)].map(
      ([, n]) => Number(n) / (SECONDS[name] ?? 1),
    );
    ok(
      // A hook that only tells something waits for nobody.
      deadlines.every((deadline, at) => waits[at]! > deadline || waits[at] === TELLS_S),
      `${name}: ${deadlines.join()} and ${waits.join()}`,
    );
    return waits.length > 0 ? [name] : [];
  });
  deepStrictEqual(nested, [
    'claude-code where-it-asks',
    'claude-code every-call',
    'codex away',
    'codex before-it',
    'gemini Gemini CLI',
    'mcp Codex',
    'mcp Gemini CLI',
  ]);
});

test('[DIA1] a hook that might let a tool run without the hub is told to block it', () => {
  match(textOf('claude-code every-call'), /exit 2;;.* \|\| exit 2",\s+"timeout": 3660,\s+"onFailure": "block"/);
  match(textOf('gemini Gemini CLI'), /\[Rr\]eply:.* exit 2;;.* \|\| exit 2"/);
  match(textOf('codex away'), /\[Rr\]eply:.* exit 1;;/);
});
