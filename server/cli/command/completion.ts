import type { Command } from './command.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** The lines with which a shell completes the commands, their options and the values of options that take no others. */
export function writeCompletion(commands: Command[], shell: (typeof SHELLS)[number]): string {
  if (shell === 'fish') return fish(commands);
  // zsh understands what bash does once it is asked to.
  return shell === 'zsh' ? `autoload -Uz bashcompinit && bashcompinit\n${bash(commands)}` : bash(commands);
}

const firstWords = (commands: Command[]) => [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))];
const secondWords = (commands: Command[], first: string) =>
  commands.flatMap(({ name }) => (name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : []));
const listOptions = ({ options = {}, json }: Command) => ['help', ...(json ? ['json'] : []), ...Object.keys(options)];
/** What stands for an argument that takes no others. */
const listChoices = ({ args = [] }: Command) =>
  args.flatMap((name) => (name.includes('|') ? name.replace(/[[\]]/g, '').split('|') : []));
/** What names something of the hub is completed with its names. */
const namesFor = (value = ''): string =>
  /^\[?HANDLE/.test(value) ? 'people' : value.startsWith('NAME_OR_ID') ? 'sources' : '';
// A person who is added has no handle here yet.
const argumentNames = ({ name, args = [] }: Command): string =>
  name.endsWith(' add') && name !== 'device add' ? '' : namesFor(args[0]);
const listNames = ({ options = {} }: Command) =>
  Object.entries(options).flatMap(([name, { value }]) => (namesFor(value) ? [{ name, kind: namesFor(value) }] : []));
const listValues = ({ options = {} }: Command) =>
  Object.entries(options).flatMap(([name, { value = '' }]) =>
    value.includes('|') ? [{ name, values: value.split('|') }] : [],
  );

function bash(commands: Command[]): string {
  const words = (one: Command) => [...listChoices(one), ...listOptions(one).map((name) => `--${name}`)];
  const ofCommand = (one: Command) => {
    const pattern = one.name.includes(' ') ? `'${one.name}'` : `'${one.name}'|'${one.name} '*`;
    const taken = [
      ...listValues(one).map(({ name, values }) => `--${name}) words='${values.join(' ')}'; names='' ;; `),
      ...listNames(one).map(({ name, kind }) => `--${name}) words=''; names=${kind} ;; `),
    ];
    const values = taken.length === 0 ? '' : `; case "$before" in ${taken.join('')}esac`;
    const names = argumentNames(one) === '' ? '' : `; names=${argumentNames(one)}`;
    return `    ${pattern}) words='${words(one).join(' ')}'${names}${values} ;;\n`;
  };
  const ofGroup = (first: string) => {
    const alone = commands.find(({ name }) => name === first);
    return `    '${first}') words='${[...secondWords(commands, first), ...(alone ? words(alone) : [])].join(' ')}' ;;\n`;
  };
  const isGroup = (first: string) => secondWords(commands, first).length > 0;
  // The first that fits counts: "gate list" before "gate", which runs whatever follows.
  const cases = [
    ...commands.filter(({ name }) => name.includes(' ')).map(ofCommand),
    ...firstWords(commands).filter(isGroup).map(ofGroup),
    ...commands.filter(({ name }) => !name.includes(' ')).map(ofCommand),
  ];
  // Of a list with commas the last part is completed.
  return `_beckon_names() {
  local part="\${now##*,}" name
  while IFS= read -r name; do
    name="$(printf %q "$name")"
    case "$name" in "$part"*) COMPREPLY+=("\${now%"$part"}$name") ;; esac
  done < <(beckon completion "$1" 2> /dev/null)
}
_beckon() {
  local now="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" called="\${COMP_WORDS[1]}"
  local words='' names=''
  if [ "$COMP_CWORD" -gt 2 ]; then called="$called \${COMP_WORDS[2]}"; fi
  if [ "$COMP_CWORD" -eq 1 ]; then called=''; words='${['help', '--version', ...firstWords(commands)].join(' ')}'; fi
  case "$called" in
${cases.join('')}  esac
  COMPREPLY=($(compgen -W "$words" -- "$now"))
  if [ -n "$names" ]; then _beckon_names "$names"; fi
}
complete -o default -F _beckon beckon
`;
}

function fish(commands: Command[]): string {
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const first = firstWords(commands).map((word) => {
    const says = commands.find(({ name }) => name === word)?.does ?? secondWords(commands, word).join(', ');
    return `complete -c beckon -f -n __fish_use_subcommand -a ${word} -d ${quoted(says)}\n`;
  });
  const others = commands.flatMap((one) => {
    const [word, second] = one.name.split(' ');
    const within = `'__fish_seen_subcommand_from ${word}${second === undefined ? '' : `; and __fish_seen_subcommand_from ${second}`}'`;
    const name =
      second === undefined
        ? []
        : [`complete -c beckon -f -n '__fish_seen_subcommand_from ${word}' -a ${second} -d ${quoted(one.does)}\n`];
    const options = listOptions(one).map((option) => {
      const { value, means = option === 'json' ? 'print JSON' : 'say how it is called' } = one.options?.[option] ?? {};
      const takes =
        value === undefined
          ? ''
          : value.includes('|')
            ? ` -x -a ${quoted(value.replaceAll('|', ' '))}`
            : namesFor(value)
              ? ` -x -a '(beckon completion ${namesFor(value)} 2> /dev/null)'`
              : ' -r';
      return `complete -c beckon -n ${within} -l ${option}${takes} -d ${quoted(means)}\n`;
    });
    const choices = listChoices(one).map((choice) => `complete -c beckon -f -n ${within} -a ${choice}\n`);
    const named = argumentNames(one);
    const names = named ? [`complete -c beckon -f -n ${within} -a '(beckon completion ${named} 2> /dev/null)'\n`] : [];
    return [...name, ...choices, ...names, ...options];
  });
  return [...first, ...others].join('');
}
