import { parse, TomlError } from 'smol-toml';
import { CannotChange } from './cannot-change.ts';

const BEGIN = '# Made by "beckon connect"; "beckon connect codex --remove" takes it out again.';
const END = '# The end of what "beckon connect" made.';

/** Appends a block between two lines that say whose it is. Throws where the text, or what would come of it, is no TOML. */
export function appendBlock(text: string, block: string): string {
  read(text, ({ line }) => `line ${line} is no TOML`);
  const changed = `${text}${text === '' ? '' : '\n'}${BEGIN}\n${block}\n${END}\n`;
  read(changed, () => 'it has a server or a hook of its own there; take that out first');
  return changed;
}

/** Takes the block out, with the line break before it. */
export function takeBlock(text: string): string {
  const from = text.indexOf(BEGIN);
  const to = text.indexOf(END, from);
  if (from < 0 || to < 0) return text;
  return text.slice(0, from).replace(/\n$/, '') + text.slice(to + END.length).replace(/^\r?\n/, '');
}

function read(text: string, why: (error: TomlError) => string): void {
  try {
    parse(text);
  } catch (error) {
    throw error instanceof TomlError ? new CannotChange(why(error)) : error;
  }
}
