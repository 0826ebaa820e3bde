const BY_ENDING = {
  bash: 'sh bash zsh dockerfile',
  css: 'css scss less',
  go: 'go',
  ini: 'ini toml conf cfg properties env',
  java: 'java kt scala groovy',
  json: 'json jsonc json5 webmanifest',
  markdown: 'md markdown mdx',
  python: 'py pyi',
  rust: 'rs',
  sql: 'sql',
  typescript: 'ts tsx js jsx mjs cjs mts cts',
  xml: 'html htm xml svg vue xhtml',
  yaml: 'yml yaml',
} as const;

/** A language that code can be highlighted in. */
export type CodeLanguage = keyof typeof BY_ENDING;

const BY_MEMBER: Record<string, CodeLanguage> = {
  sql: 'sql',
  query: 'sql',
  statement: 'sql',
  command: 'bash',
  cmd: 'bash',
  script: 'bash',
  python: 'python',
  javascript: 'typescript',
  html: 'xml',
  css: 'css',
  json: 'json',
  yaml: 'yaml',
  markdown: 'markdown',
};
const PATHS = /^(?:file_?)?(?:path|name)$|^file$|^(?:target|notebook)_(?:path|file)$/i;
const CONTENTS =
  /^(?:(?:new|old)_?(?:string|str|text|content|source)|content|contents|code|text|source|body|file_text)$/i;
const SQL = /^\s*(?:select|insert|update|delete|create|alter|drop|with|truncate|grant)\b/i;

/** The language that the end of a file's name tells. */
export function languageOfPath(path: string): CodeLanguage | undefined {
  const ending = /[^./\\]+$/.exec(path)?.[0].toLowerCase() ?? '';
  return names().find((name) => BY_ENDING[name].split(' ').includes(ending));
}

/** The language of one argument of a call, told by its name, by the path beside it, or by being JSON; undefined for words. */
export function languageOfMember(
  name: string,
  text: string,
  siblings: readonly { name: string; text?: string }[],
): CodeLanguage | undefined {
  if (isJson(text)) return 'json';
  const own = BY_MEMBER[name.toLowerCase()];
  if (own) return own !== 'sql' || SQL.test(text) ? own : undefined;
  if (!CONTENTS.test(name)) return undefined;
  const told = siblings.find((one) => /^(?:language|lang)$/i.test(one.name))?.text?.toLowerCase();
  const spoken =
    told === undefined ? undefined : names().find((one) => one === told || BY_ENDING[one].split(' ').includes(told));
  const path = siblings.find((one) => PATHS.test(one.name))?.text;
  return spoken ?? (path === undefined ? undefined : languageOfPath(path));
}

function names(): CodeLanguage[] {
  return Object.keys(BY_ENDING) as CodeLanguage[];
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
