const LONGEST_LINE = 65_536;
const MOST_WORDS = 1_000;

// Characters that mean themselves in bash, dash and zsh. zsh reads "=ls" as a path and may read a quote in "'a''b'", as
// fish does in "'\\'"; an interactive shell expands "!" within double quotes too, and completes at a tab.
const PIECES = [
  String.raw`(?:[\w./:,@%+-]|(?<=\w)=)+`,
  String.raw`'[ "-&(-~]*(?<!\\)'(?!')`,
  String.raw`"[ #%-\[\]-_a-~]*"`,
];
const TOKEN = new RegExp(
  [
    ' +',
    String.raw`(?<redirection>(?<= )(?:2>&1|[12]?> ?/dev/null)(?=[ \n;|]|$))`,
    `(?<word>(?:${PIECES.join('|')})+)`,
    String.raw`(?<separator>&&|\|\|?|[;\n])[ \n]*`,
  ].join('|'),
  'y',
);

// Bash and zsh read more than one command, or none, where one of these stands first.
const GRAMMAR = new Set(
  'if then elif else fi for foreach end while until repeat select do done case esac function coproc nocorrect'.split(
    ' ',
  ),
);

/**
 * The simple commands of a line, each as the words that bash, dash and zsh all make of it; undefined unless every
 * character was understood. That is: words of plain characters, '…' and "…" of printable ASCII without expansion, the
 * separators ";", "&&", "||", "|" and a new line, and behind a command's name output that goes to /dev/null or 2>&1.
 * Not by a library: each reads what one shell would, and what another shell reads otherwise must be refused.
 */
export function parseCommands(line: string): string[][] | undefined {
  if (line.length > LONGEST_LINE) return undefined;
  const commands: string[][] = [];
  let words: string[] = [];
  let separator = '\n';
  let at = line.search(/[^ \n]|$/);
  while (at < line.length) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(line)?.groups;
    // For a redirection that stands alone zsh runs a program of its own, cat or more.
    if (!token || (token['redirection'] !== undefined && words.length === 0)) return undefined;
    at = TOKEN.lastIndex;
    if (token['word'] !== undefined) words.push(withoutQuotes(token['word']));
    if (token['separator'] === undefined) continue;
    commands.push(words);
    words = [];
    separator = token['separator'];
  }
  if (words.length > 0) commands.push(words);
  else if (/[&|]/.test(separator)) return undefined;
  return commands.length > 0 && commands.flat().length <= MOST_WORDS && commands.every(isPlain) ? commands : undefined;
}

// A name with "=" may be an assignment.
function isPlain([name]: string[]): boolean {
  return name !== undefined && !name.includes('=') && !GRAMMAR.has(name);
}

function withoutQuotes(word: string): string {
  return word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2');
}
