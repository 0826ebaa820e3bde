import { CHOICES, COMMAND_HERE, type Place } from './choices.ts';

/** A block of code as it stands in its guide. */
type Snippet = { language: string; text: string };
export type Guides = Record<Place['guide'], string>;

/** What `Connect` shows, by the places in the guides. Throws where a guide has no such block. */
export function readSnippets(guides: Guides): Record<string, Snippet> {
  const ways = CHOICES.flatMap((choice) => choice.ways);
  const places = [COMMAND_HERE, ...ways.flatMap((way) => [way, ...(readClient(way) ?? [])])];
  return Object.fromEntries(places.map((place) => [toKey(place), snippetAt(guides, place)]));
}

export function toKey({ guide, under, block }: Place): string {
  return `${guide} ${under} ${block}`;
}

/** How the client is fetched, for what asks with it. */
export function readClient({ client }: { client?: number }): [Place] | undefined {
  return client === undefined ? undefined : [{ guide: 'agents', under: 'The client', block: client }];
}

const BLOCK = /^```(\w+)\n(.*?)\n```$/gms;
/** What stands for the hooks in settings that name them six times; each is a block of its own behind them. */
const HOOKS = ['"ASKS"', '"TELLS"'];

function snippetAt(guides: Guides, { guide, under, block }: Place): Snippet {
  const [, section = ''] = guides[guide].split(`\n## ${under}\n`);
  const blocks = [...(section.split('\n## ')[0] ?? '').matchAll(BLOCK)];
  const [, language, text] = blocks[block] ?? [];
  if (language === undefined || text === undefined)
    throw new Error(`${guide}.md has no block of code ${block + 1} under "${under}".`);
  const filled = HOOKS.reduce((whole, name, at) => {
    const hook = blocks[block + 1 + at]?.[2] ?? '';
    return whole.replaceAll(name, () => hook.replace(/\s*\n\s*/g, ' '));
  }, text);
  return { language, text: filled };
}
