import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { parseCommands } from './commands.ts';
import { fitsShell, mayFitShell, readEntry, type Entry } from './entry.ts';

const entriesOf = (...texts: string[]) => texts.map((text) => readEntry(text) as Entry);
const ENTRIES = entriesOf(
  'git status',
  'git log *',
  'git commit -m *',
  'git checkout -- *',
  'git add *',
  'ls -l *',
  'cat *',
  'cd ..',
  'cd /srv/app',
  'echo *',
  'grep -n *',
  'wc -l',
  'npm test',
  '/bin/ls',
  './run.sh',
  './run.sh fast',
  'sudo git fetch',
  'env A=b git status',
  'time git status',
  'xargs',
  "printf '%s'",
);

const fitting = (lines: string[], entries = ENTRIES) => lines.filter((line) => fitsShell(line, entries));
const refused = (lines: string[]) => lines.filter((line) => !fitsShell(line, ENTRIES));

test('a line fits where each of its commands is an entry word for word', () => {
  const lines = [
    'git status',
    '  git   status  ',
    '\n\ngit status\n',
    'git status;',
    'git status; ',
    'git status ;npm test',
    'git status;git log;npm test',
    'git status && npm test',
    'git status&&npm test||git log',
    'git status &&\n  npm test',
    'git status ||\n\n npm test',
    'git status |\nwc -l',
    'git status\nnpm test',
    'git status\n\n \n npm test\n\n',
    'git log | wc -l',
    'git log|wc -l|cat',
    'cd /srv/app && git status',
    'npm test 2>&1',
    'npm test 2>&1 | wc -l',
    'npm test >/dev/null',
    'npm test > /dev/null',
    'npm test 2>/dev/null; git status',
    'npm test 1> /dev/null 2>&1',
    'git 2>&1 status',
    'cat a >/dev/null && git status',
    'cat 2 1',
    '/bin/ls',
    './run.sh',
    './run.sh fast',
    'sudo git fetch',
    'env A=b git status',
    'time git status',
    'git log | xargs',
  ];
  deepStrictEqual(refused(lines), []);
});

test('quotes are removed as a shell removes them', () => {
  const lines = [
    `'git' status`,
    `"git" 'status'`,
    `g'i't st"at"us`,
    `git ''status`,
    `git "status"""`,
    `cat ''`,
    `cat ""`,
    `cat 'a b' "c d"`,
    `cat 'a;b' "a|b" 'a&b' "(a)"`,
    `cat '$(evil)' '\`evil\`' '$HOME' 'a\\b' '#' '~' '*' '{a,b}' '<(x)'`,
    `cat "it's" 'say "x"' "#" "~" "*" "{a,b}" "a>b" "a<b"`,
    `git commit -m 'Fix a; b && c'`,
    `git commit -m "Fix (a) & b"`,
    `git log a='b c'`,
    `printf "%s"`,
    `echo 'a'"b"c`,
    `echo "a""b"`,
    `echo ';' '&&' '|' '2>&1'`,
  ];
  deepStrictEqual(refused(lines), []);
});

test('a last star takes any number of words that are no options', () => {
  const lines = [
    'git log',
    'git log main',
    'git log main..dev a/b c:d @ HEAD@ v1.2.3 a,b 50% x+y a=b a-b',
    'cat a-b ./-x /-y',
    'ls -l a b',
    'git checkout -- a b',
    'cd ..',
    'echo',
  ];
  deepStrictEqual(refused(lines), []);
  const options = [
    'git log -p',
    'git log --output=/x',
    'git log a --output=/x',
    `git log '-p'`,
    `git log "-"p`,
    `git log ''-p`,
    'git log -',
    'git log --',
    'git log -- a',
    'git log +x',
    'cat -',
    'ls',
    'ls -la',
    'ls -l -a',
    'ls -l --color',
    'ls a -l',
    'ls --l',
    'git commit --message x',
    'git commit -mx',
    'git commit -m x --amend',
    'git checkout a -- b',
    'git checkout a',
    'git status x',
    'git status -s',
    'wc -l a',
    'wc',
    'npm test x',
    'npm',
    'git',
    'printf %d',
    'xargs rm',
    'time git log',
    'sudo git fetch x',
    'sudo',
    'env A=b git log',
    'env git status',
  ];
  deepStrictEqual(fitting(options), []);
});

test('another program, path, spelling or place is another command', () => {
  const lines = [
    'evil',
    'evil git status',
    'git evil',
    'GIT status',
    'Git status',
    'git Status',
    'git -c core.pager=evil status',
    'git -C /x status',
    'git --no-pager status',
    'git --exec-path=/x status',
    '/usr/bin/git status',
    './git status',
    '../git status',
    '/bin/../bin/ls',
    '//bin/ls',
    '/bin/./ls',
    '/bin/ls/',
    'run.sh',
    './/run.sh',
    './run.sh/../evil',
    'gitstatus',
    `'git status'`,
    `git' 'status`,
    `'git log' x`,
    'git.exe status',
    'git-status',
    'command git status',
    'builtin cd x',
    'exec git status',
    'eval git status',
    `eval 'git status'`,
    'source cat',
    '. cat',
    `sh -c 'git status'`,
    `bash -c "git status"`,
    'busybox cat x',
    'nohup git status',
    'nice git status',
    'noglob git status',
    'nocorrect git status',
    '- git status',
    'timeout 5 git status',
    'time -p git status',
    'xargs git',
    'find . -exec git status',
    'find . -delete',
    'env',
    'env git status',
    'sudo git status',
    'doas git status',
    'alias git=evil',
    'alias cat=evil; cat x',
    'unalias -a',
    'export PATH=/x',
    'trap evil EXIT',
    'set -x',
    'cat x; evil',
    'evil; cat x',
    'cat x && evil',
    'evil || cat x',
    'cat x | evil',
    'evil | cat',
    'cat x | sh',
    'cat x\nevil',
    'evil\ncat x',
    'cat x |\nevil',
    'cat x &&\n\nevil',
    'git log | xargs evil',
    'cat x;evil;cat x',
  ];
  deepStrictEqual(fitting(lines), []);
});

test('[POL1] what is not understood fits nothing, wherever it stands in the line', () => {
  const parts = [
    ['$(evil)', '`evil`', '"$(evil)"', '"`evil`"', '$((1))', '$[1]', '((1))', '<(evil)', '>(evil)', '=(evil)'],
    ['$x', '${x}', '"$x"', '"${x:-evil}"', '$1', '$@', '$$', "$'\\x65'", '$"x"', '${x@P}', '"$\'x\'"', '$'],
    ['>x', '> x', '>>x', '>|x', '>&x', '&>x', '&>>x', '<x', '<>x', '2>x', '2>&-', '>&2', '1>&2', '>/dev/nullx'],
    [
      '>/dev/null/x',
      '> /dev/tcp/a/1',
      '>/dev/../x',
      '2>&12',
      '3>&1',
      '3>/dev/null',
      '12>/dev/null',
      '>"/dev/null"',
      '2>&$x',
      '{x}>y',
    ],
    ['<<E\nevil\nE', "<<'E'\nx\nE", '<<-E\nx\nE', '<<<x', '<<< "x"'],
    ['&', '& evil', '&evil', '|& evil', '; ; evil', ';;', ';&', '&& && evil', '| | evil', '||', '|', '&&'],
    ['(evil)', '{ evil; }', '{evil}', ')', '}', '! evil', '!', '!!', '!$', '!evil', '"!!"', "'!x'", '^a^b'],
    ['*', '?', '[a]', '[', ']', '**', 'a*', '{a,b}', '{1..3}', '@(a)', '?(a)', '+(a)', '!(a)', '*(e:evil:)', '<->'],
    ['~', '~x', '~/x', '~+', 'a=~', 'a:~', '=ls', '==', 'a==ls', 'a:=ls', '"a"=ls', '#', '# x', '#x', 'a#b'],
    ['\\', '\\a', '\\\n', 'a\\ b', '"\\x"', '"a\\"', "'a\\'", '`', '\\`'],
    ["'", '"', "'a", '"a', `"'`, "''''", "'a''b'"],
    ['\r', '\r\nevil', '\0', '\t', '\v', '\f', '\b', '\x1b[A', '\x7f', "'\n'", '"\n"', "'\t'", "'\0'"],
    ['\u00a0', '\u2028', '\u2029', '\u0085', '\ufeff', '\u200b', '\u202e', '\u2066', '\u3000', 'é', "'é'", '"字"'],
    ['\uff1b', '\uff5c', '\u037e', '\u2013x', '\u2010x', '\u0441at', '\ud800', '"\ud800"', '\u{1f600}', '‘a’'],
    ['[[ a ]]', '[ a ]', 'case x in x) evil;; esac', 'f() { evil; }', 'function f { evil; }'],
  ].flat();
  const harmless = parts.map((part) => part.replaceAll('evil', 'cat x'));
  const lines = [...parts, ...harmless].flatMap((part) =>
    [
      ['cat PART', 'cat x PART', 'cat PART x', 'catPART', 'catPART x', 'PART', 'PART cat x', 'git status PART'],
      ['cat x; PART', 'cat x && PART', 'cat x | PART', 'cat x\nPART', 'PART; cat x', 'PART\ncat x', 'PART|cat x'],
    ]
      .flat()
      .map((line) => line.replace('PART', () => part)),
  );
  deepStrictEqual(fitting(lines), []);
});

test('no word of the grammar and no assignment begins a command', () => {
  const words =
    'if then elif else fi for foreach end while until repeat select do done case esac function coproc nocorrect';
  const lines = words
    .split(' ')
    .flatMap((word) => [`${word} cat x`, `${word}\ncat x`, `cat x; ${word}`, `'${word}' x`]);
  const assignments = ['A=b', 'A=b cat x', 'PATH=/x cat x', 'A= cat x', 'A+=b cat x', 'A=b; cat x', 'cat x; A=b'];
  const quoted = [`'A'=b cat x`, `A'='b`, `"A=b" cat x`, 'a-b=c'];
  deepStrictEqual(
    [...lines, ...assignments, ...quoted].filter((line) => parseCommands(line) !== undefined),
    [],
  );
});

test('an entry is one command in words of its own, and its last word may be a star', () => {
  deepStrictEqual(
    ['git status', ' git  "status" ', "git log '*'", 'git log *', 'ls -l *', 'cat *', './x', 'find . -delete'].map(
      (text) => readEntry(text),
    ),
    [
      { words: ['git', 'status'], open: false },
      { words: ['git', 'status'], open: false },
      { words: ['git', 'log', '*'], open: false },
      { words: ['git', 'log'], open: true },
      { words: ['ls', '-l'], open: true },
      { words: ['cat'], open: true },
      { words: ['./x'], open: false },
      { words: ['find', '.', '-delete'], open: false },
    ],
  );
  const notWords = ['', ' ', '*', ' *', '* x', 'cat * x', 'cat*', 'cat a*', 'cat $x', 'cat >x', 'A=b cat', '-x', '%1'];
  deepStrictEqual(
    [...notWords, 'cat\\ x', 'if x', '[ x ]', 'cat "', 'c\u0430t\u00a0', '\0', '& *', 'a; *'].filter(
      (text) => !('fault' in readEntry(text)),
    ),
    [],
  );
  deepStrictEqual(
    [readEntry('cat x; cat y'), readEntry(`cat ${'x'.repeat(1_000)}`), readEntry('cat $x')],
    [
      { fault: 'it is more than one command; write one entry for each' },
      { fault: 'it is longer than 1000 characters' },
      {
        fault:
          'only a program and its words can stand here, plain or in quotes without expansion, and a bare * as the last word',
      },
    ],
  );
});

test('a star is refused after what runs its words', () => {
  const running = `
    env, xargs, sudo, doas, su, nohup, nice, timeout, time, watch, setsid, busybox, parallel, sudo git status
    sh, bash, dash, zsh, fish, sh -c, bash -x, env A=b git log, xargs -n 1 cat, find, find ., find . -exec
    find . -name x, awk, sed, sed -n, perl, python, python3, python3.12, node, ruby, make, npx, uvx, ssh, rsync, tar
    vim, less, man, sqlite3, pytest, SUDO, /usr/bin/env, /bin/../bin/sh, ./env, Bash.exe, 'env', eval, exec, command
    builtin, source, ., alias, export, trap, test, printf, read, let, declare, set, zmodload, noglob, fc, git, git -c
    git -c a=b, git -C x, git --no-pager log, git bisect, git bisect run, git submodule, git config, git difftool
    docker-compose exec web, pipenv run, rustup run stable, rails runner, wp eval, oc exec pod, ip netns exec a, mpirun
    srun, chronic, tini, gosu root, cross-env, concurrently, watchexec, coverage run, lxc exec a, heroku run, gcc, cc, cd
    ./cat, ../bin/cat, /tmp/ls, CAT, uniq, git remote-ext, git evil, npm, npm run, npm exec, npm install, docker, docker run, docker exec, kubectl exec
    cargo run, go run, go test, gh alias, pip install, git grep --open-files-in-pager, rg --pre, x --exec
    sort --compress-program, git diff --ext-diff`
    .trim()
    .split(/, |\n +/);
  deepStrictEqual(
    running.filter((words) => !('fault' in readEntry(`${words} *`))),
    [],
  );
  const exact = [
    'env A=b git status',
    'xargs cat',
    'find . -exec cat x',
    'git -c a=b log',
    `sh -c 'git status'`,
    'sudo ls',
  ];
  const open = ['git log', 'git commit -m', 'npm ls', 'docker ps', 'kubectl get', 'rg', 'cat', 'head -n', 'cargo test'];
  deepStrictEqual(
    [...exact, ...open.map((words) => `${words} *`)].filter((text) => 'fault' in readEntry(text)),
    [],
  );
  deepStrictEqual(
    [readEntry('xargs *'), readEntry('pip install *'), readEntry('rg --pre *')],
    [
      { fault: 'xargs is not known to leave its words unrun, as cat and git log are; name every word instead of *' },
      { fault: 'pip can run what its words say; * may follow only pip check, freeze, list, show' },
      { fault: '--pre takes a command; name every word instead of *' },
    ],
  );
});

const FENCE = ['rm *', 'git push *', 'chmod -R *', 'npm publish'].map((text) => readEntry(text, 'fence') as Entry);

test('[POL1] a rule that keeps commands out fits with any spelling of one, and with what may run one', () => {
  const lines = `
    rm x, rm, /bin/rm -rf /, /usr/local/bin/rm x, ./rm x, RM x, /BIN/Rm x, rm.exe x, ls; rm x, git push, /usr/bin/git push
    command rm x, exec rm x, eval rm, env rm x, time rm x, nohup rm x, sh -c "rm x", sh -c x, xargs rm, ls | xargs rm, ls | sh
    busybox rm x, sudo rm x, nice -n 5 rm x, find . -delete, find . -exec rm x, python3 -c x, npx rm, npm exec rm, ./run.sh
    git -C x push, git -c alias.p=push p, git p, git Push, LS x, alias ls=rm; ls x, . ./x, source x, hash -p /bin/rm ls; ls x
    ln -s /bin/rm y; ./y x, cd /bin; ./rm x, sort --compress-program=rm x, sort --compress-prog=rm x, rg --pre rm x, rg --pr=rm x
    git fetch --upload-p=rm x, go build -toolexec rm x, go vet -vettool=rm, cargo build --conf x, npm test --script-shell=rm
    chmod --recursive x y, chmod 777 -R x, chmod -vR x y, npm publish`
    .trim()
    .split(/, |\n +/);
  deepStrictEqual(
    lines.filter((line) => !mayFitShell(line, FENCE)),
    [],
  );
});

test('commands that are known to run nothing else stay outside of a rule that keeps others out', () => {
  const lines = `
    ls -la, git status, git log --all, git pull, git commit -m "rm x", git add -- rm, cat a | grep -rn rm, echo rm, cp rm b
    mv a b, cd /srv/app && git status, pwd, mkdir -p a/b, chmod 644 x, /bin/ls rm, npm test, npm run build 2>&1 | tail -n 5
    npm ci, npm publish x, pnpm install, yarn test, cargo test, docker ps -a, head -n 5 x, sort -u x > /dev/null`
    .trim()
    .split(/, |\n +/);
  deepStrictEqual(
    lines.filter((line) => mayFitShell(line, FENCE)),
    [],
  );
});
