// Programs that run none of their further words and overwrite nothing that these name.
const KNOWN = new Set(
  `
  cat head tail tac rev nl wc cut paste join comm sort tr fold fmt expand unexpand column od hexdump strings
  cmp diff grep egrep fgrep rg jq ls tree du df stat file readlink realpath basename dirname which
  md5sum sha1sum sha256sum sha512sum b2sum cksum echo seq sleep true false mkdir rmdir touch
  `
    .trim()
    .split(/\s+/),
);

// Programs of which only some subcommands are of that kind.
const SUBCOMMANDS: Record<string, string> = {
  git: 'add blame branch cat-file checkout cherry-pick clean commit describe diff fetch log ls-files ls-tree merge mv pull push reset restore rev-list rev-parse revert rm shortlog show show-ref stash status switch tag',
  npm: 'explain list ls outdated search view',
  pnpm: 'list ls outdated why',
  yarn: 'info list why',
  pip: 'check freeze list show',
  cargo: 'build check clippy doc fmt metadata test tree',
  go: 'build doc fmt list version vet',
  docker: 'diff history images inspect logs port ps stats version',
  podman: 'diff history images inspect logs port ps stats version',
  kubectl: 'describe explain get logs top version',
  gh: 'issue label pr search status',
};

// Programs that run none of their words either, but overwrite or remove what these name.
const CHANGING = new Set(
  `
  cd pwd cp mv rm ln chmod chown chgrp dd shred truncate unlink tee mktemp date whoami id uname hostname ps kill sync
  `
    .trim()
    .split(/\s+/),
);

// Subcommands that run what a project holds, but no program of which a word that is no option is the name.
const IN_A_PROJECT: Record<string, string> = {
  npm: 'ci install publish run start test uninstall',
  pnpm: 'install publish start test',
  yarn: 'install start test',
};

// Options whose value is a command.
const RUNNING =
  'exec execdir execute ok okdir command eval pre filter pager editor rsh ext-diff exec-path open-files-in-pager compress-program use-compress-program to-command upload-pack receive-pack toolexec vettool ldflags hostname-bin config'.split(
    ' ',
  );

/** Why further words must not follow these: one of them could be run; undefined where it is known that none is. */
export function letsRun(words: string[]): string | undefined {
  const [path = '', subcommand = ''] = words;
  const name = path.replace(/^\/(?:usr\/)?bin\//, '');
  const harmless = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name]?.split(' ') : undefined;
  if (harmless && !harmless.includes(subcommand))
    return `${path} can run what its words say; * may follow only ${path} ${harmless.join(', ')}`;
  if (!harmless && !KNOWN.has(name))
    return `${path} is not known to leave its words unrun, as cat and git log are; name every word instead of *`;
  const option = words.find((word) => RUNNING.includes(/^--?([^=]+)/.exec(word)?.[1] ?? ''));
  return option && `${option} takes a command; name every word instead of *`;
}

/**
 * Whether it is known that these words run no other program by a further one, whatever it overwrites. What an option is
 * called may be cut short.
 */
export function runsItselfOnly(words: string[]): boolean {
  const [path = '', subcommand = ''] = words;
  const name = path.replace(/^\/(?:usr\/)?bin\//, '');
  const project = Object.hasOwn(IN_A_PROJECT, name) ? IN_A_PROJECT[name]?.split(' ') : undefined;
  if (project?.includes(subcommand)) return !words.some(isOption);
  const cut = words.flatMap((word) => /^--([^=]+)/.exec(word)?.[1] ?? []);
  if (cut.some((option) => RUNNING.some((running) => running.startsWith(option)))) return false;
  return CHANGING.has(name) || letsRun(words) === undefined;
}

/** Options are fitted only where an entry names them; some programs begin theirs with "+" or read them from "@file". */
export function isOption(word: string): boolean {
  return /^(?:[-+]|@.)/.test(word);
}
