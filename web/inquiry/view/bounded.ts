import { Lexer, type MarkedOptions, Parser, type Token, Tokenizer, type Tokens, type TokensList } from 'marked';

const DEEPEST = 50;
// In letters: each level reads again what it holds, a line being as much work as ten, and each emphasis or address may be
// looked for to the end of its paragraph. Usual text of 64 KiB takes a tenth of it.
const READ_MAX = 500_000;
const LINE = 10;
const SOUGHT_MAX = 20_000_000;
// An empty cell costs no letter of the text.
const CELLS_MAX = 20_000;

/**
 * The HTML of a markdown text; undefined where that nests deeper than 50 levels, takes far more work than its length
 * tells, or makes the parser throw.
 */
export function parseBounded(text: string, options: MarkedOptions): string | undefined {
  const bounded = { ...options, tokenizer: new BoundedTokenizer() };
  try {
    return Parser.parse(new BoundedLexer(bounded).lex(text), bounded);
  } catch {
    return undefined;
  }
}

class BoundedLexer extends Lexer {
  private depth = 0;
  private readonly read = upTo(READ_MAX);

  override blockTokens(text: string, tokens?: Token[], clipped?: boolean): Token[];
  override blockTokens(text: string, tokens?: TokensList, clipped?: boolean): TokensList;
  override blockTokens(text: string, tokens?: Token[], clipped?: boolean): Token[] {
    return this.within(text, () => super.blockTokens(text, tokens, clipped));
  }

  override inlineTokens(...given: Parameters<Lexer['inlineTokens']>) {
    return this.within(given[0], () => super.inlineTokens(...given));
  }

  private within<Result>(text: string, tokens: () => Result): Result {
    this.read(text.length + LINE * (text.split('\n').length - 1));
    if (++this.depth > DEEPEST) throw new RangeError('nests too deep');
    const result = tokens();
    this.depth--;
    return result;
  }
}

class BoundedTokenizer extends Tokenizer {
  private readonly sought = upTo(SOUGHT_MAX);
  private readonly cells = upTo(CELLS_MAX);

  override emStrong(...given: Parameters<Tokenizer['emStrong']>) {
    if (/^[*_]/.test(given[0])) this.sought(given[0].length);
    return super.emStrong(...given);
  }

  override del(...given: Parameters<Tokenizer['del']>) {
    if (given[0].startsWith('~')) this.sought(given[0].length);
    return super.del(...given);
  }

  override url(text: string) {
    const token = super.url(text);
    if (token) this.sought(text.length);
    return token;
  }

  /** A table as wide as its widest row, since cells beyond those of the head would be left out. */
  override table(text: string): Tokens.Table | undefined {
    const [raw, head = '', line = '', body = ''] = this.rules.block.table.exec(text) ?? [];
    if (raw === undefined) return undefined;
    const rows = body.split('\n').filter((row) => row.trim() !== '');
    const width = countCells(head);
    const widest = rows.reduce((most, row) => Math.max(most, countCells(row)), width);
    this.cells(widest * (rows.length + 1));
    if (widest === width) return super.table(text);
    const widened = [widen(head, ' ', widest - width), widen(line, '-', widest - width), ...rows].join('\n');
    const table = super.table(widened);
    return table && { ...table, raw: raw.replace(/\n+$/, '') };
  }
}

/** Sums up what it is called with, and throws once that is more than `most`. */
function upTo(most: number): (more: number) => void {
  let sum = 0;
  return (more) => {
    sum += more;
    if (sum > most) throw new RangeError('takes too much work');
  };
}

// As the parser counts them: a pipe behind a backslash separates nothing.
function countCells(row: string): number {
  const cells = row.replace(/\\\\|\\\|/g, '').split('|');
  if (cells[0]?.trim() === '') cells.shift();
  if (cells.at(-1)?.trim() === '') cells.pop();
  return cells.length;
}

function widen(row: string, cell: string, by: number): string {
  const open = row.trimEnd().replace(/(?<!\\)\|$/, '');
  return `${open}${` | ${cell}`.repeat(by)} |`;
}
