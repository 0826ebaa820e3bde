// Programs, builtins and keywords that take a command, a script or code as an ordinary word.
const RUNNERS = new Set(
  `
  sh bash dash zsh ksh mksh ash fish csh tcsh rbash busybox toybox pwsh powershell cmd
  env xargs sudo doas su runuser pkexec nohup nice ionice chrt taskset setsid stdbuf timeout time watch unshare nsenter
  chroot flock parallel entr script strace ltrace perf gdb valgrind systemd-run at batch crontab start-stop-daemon bwrap
  firejail setarch linux numactl cpulimit unbuffer expect faketime fakeroot proot torsocks proxychains hyperfine rlwrap
  screen tmux dtach caffeinate arch dbus-run-session xvfb-run
  find fd fdfind awk gawk mawk nawk sed gsed ed ex vi vim nvim view emacs nano less more man tar gtar bsdtar
  perl python pypy ruby irb node nodejs deno bun php lua luajit tclsh wish rscript r julia java jshell groovy ghci
  osascript m4 bc dc gnuplot octave sqlite psql mysql
  ipython ts-node tsx swift dotnet elixir erl mix guile sbcl scala clojure dart racket raku rename prename rspec phpunit
  prove poetry pdm hatch conda nix nix-shell direnv mise asdf pyenv rbenv bundle gem composer apt apt-get dnf yum apk snap
  brew adb vagrant wsl ansible-playbook scons meson task invoke nx turbo lerna
  make gmake ninja cmake just rake gradle gradlew mvn ant bazel npx pnpx bunx uv uvx pipx pytest mocha tox nox ansible
  ssh scp sftp rsync socat mosh telnet ftp open start xdg-open
  . source eval exec command builtin noglob time trap alias unalias hash rehash enable export declare typeset local
  readonly integer float private set setopt unsetopt shopt unset unfunction read mapfile readarray getln bind bindkey
  complete compgen compdef let test print printf exit return shift break continue getopts wait ulimit limit fc r history
  zmodload autoload functions emulate vared zle zstyle zparseopts sched
  `
    .trim()
    .split(/\s+/),
);

// Programs with subcommands of both kinds, and those after which further words run nothing.
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

// Options whose value is a command.
const RUNNING_OPTION =
  /^--?(?:exec|execdir|execute|ok|okdir|command|eval|pre|filter|pager|editor|rsh|ext-diff|exec-path|open-files-in-pager|(?:use-)?compress-program|to-command|upload-pack|receive-pack)(?:=|$)/;

/** Why further words must not follow these: one of them could be run; undefined where none of this kind is known. */
export function letsRun(words: string[]): string | undefined {
  const [path = '', subcommand = ''] = words;
  const name = nameOf(path);
  if (RUNNERS.has(name)) return `${path} can run what its words say; name every word instead of *`;
  const harmless = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name]?.split(' ') : undefined;
  if (harmless && !harmless.includes(subcommand))
    return `${path} can run what its words say; * may follow only ${path} ${harmless.join(', ')}`;
  const option = words.find((word) => RUNNING_OPTION.test(word));
  return option && `${option} takes a command; name every word instead of *`;
}

/** Options are fitted only where an entry names them; some programs begin theirs with "+". */
export function isOption(word: string): boolean {
  return /^[-+]/.test(word);
}

// "/usr/bin/python3.12", "Python.exe" and "python" are one program here: file systems may ignore case.
function nameOf(path: string): string {
  const base = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return base.replace(/(?<=[a-z])[-.\d]*(?:\.exe)?$/, '');
}
