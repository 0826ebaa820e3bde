type HookLine = {
  /** The header with the key, or "@" and the file that holds it, as a word of a shell. */
  header: string;
  address: string;
  waitS: number;
  /** What its program does after a hook that failed: `asks` in its terminal, or `runs` the tool unless the exit code is 2. */
  otherwise: 'asks' | 'runs';
};

/**
 * The command of a hook: it passes a reply of the hub on, byte for byte, and fails after anything else. A reply of the hub is
 * a 200 with one `Beckon-Reply` of a known kind, and one whole line of JSON.
 */
export function hookLine({ header, address, waitS, otherwise }: HookLine): string {
  const exit = otherwise === 'runs' ? 2 : 1;
  // The hub never writes "{}" after a wait where that would run the tool.
  const waited = otherwise === 'runs' ? '{\\"' : '{';
  const script = [
    `{ curl -sS -iN --max-time ${waitS + 50} --data-binary @- -H "$0" "$1"; echo " $?"; } | { unset l; s= r= e=;`,
    // A later head takes the place of the one that it follows: a proxy's, or "100 Continue".
    'while IFS= read -r l; do case $l in \\{*) break;; HTTP/*) [ "${e:-1}" = 1 ] || break; s= r= e=;',
    'case $l in HTTP/?" 200"*|HTTP/?.?" 200"*) s=200;; esac;; ?) e=1$e;;',
    // White space goes on as it comes: whoever writes to a program that is gone ends, and curl after it.
    '"") e=2; echo;; *) [ -z "$e" ] || break; case $l in [Bb]eckon-[Rr]eply:*) r=$r${l#*:};;',
    '[Bb]eckon-[Rr]eason:*) printf "%s\\n" "${l#*: }" >&2;; esac;; esac; done;',
    'case "$s:$r:$(cat)$l" in',
    `"200: decision"?": 0{"*|"200: pass"?": 0{"*|"200: undecided"?": 0{"*|"200: waiting"?": 0${waited}"*)`,
    `printf "%s\\n" "$l";; *) echo "No decision came from the Beckon hub." >&2; exit ${exit};; esac; }`,
  ].join(' ');
  // Programs may run their hooks in a shell of another kind.
  return `sh -c ${quoted(script)} ${header} ${quoted(address)}${otherwise === 'runs' ? ' || exit 2' : ''}`;
}

/** The hook of an agent that asks; with a file that holds its key it is a command, else its program calls the hub itself. */
export type Hook = { dialect: 'claude-hook' } | { dialect: 'codex-hook' | 'gemini-hook'; key: string };

export const hookAddress = (url: string, { dialect }: Hook, waitS: number): string =>
  `${url}/v1/ask/${dialect}?deadline=${waitS}`;

/** The command of an agent's hook, as it stands in its settings. */
export function hookCommand(hook: Extract<Hook, { key: string }>, url: string, waitS: number): string {
  const otherwise = hook.dialect === 'gemini-hook' ? 'runs' : 'asks';
  return hookLine({ header: quoted(`@${hook.key}`), address: hookAddress(url, hook, waitS), waitS, otherwise });
}

/** A word of a shell. */
const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
