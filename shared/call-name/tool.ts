/** A tool's name as it is shown and the words it is made of; `own`: those that stand behind its server. */
export type Tool = { shown: string; words: string[]; own: string[]; server: string };
export type Args = Record<string, unknown>;

/** Reads a tool's name; an MCP client's `mcp__server__tool` is shown as `server.tool`. */
export function toolOf(name: string): Tool {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  const shown = server && tool ? `${server}.${tool}` : name;
  const [first = '', ...more] = shown.split(/[./:]/);
  const place = tool && server ? server : more.length > 0 ? first : '';
  return { shown, words: wordsOf(shown), own: wordsOf(shown.slice(place.length)), server: place };
}

function wordsOf(name: string): string[] {
  return name
    .split(/[^\p{L}\p{N}]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u)
    .filter(Boolean)
    .map((word) => word.toLowerCase());
}

/** The members of an object of arguments that say something. */
export function membersOf(args: unknown): Args {
  if (typeof args !== 'object' || args === null || Array.isArray(args) || isRaw(args)) return {};
  return Object.fromEntries(
    Object.entries(args).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  );
}

/** A text, number or truth value as it was written. */
export function scalar(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return isRaw(value) ? (value as { rawJSON: string }).rawJSON : undefined;
}

/** The first of these members that is a text with something in it. */
export function textAt(args: Args, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return undefined;
}

// As `parseExact` keeps a number; asked of the value itself, since not every browser has `JSON.isRawJSON`.
function isRaw(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null && 'rawJSON' in value;
}

/** Arguments as JSON text, with each number as it was written. */
export function argsOf(args: unknown, argsText: string | undefined): unknown {
  if (argsText === undefined) return args;
  try {
    return JSON.parse(argsText, ((_: string, value: unknown, context?: { source?: string }) =>
      typeof value === 'number' ? (context?.source ?? value) : value) as (key: string, value: unknown) => unknown);
  } catch {
    return args;
  }
}
