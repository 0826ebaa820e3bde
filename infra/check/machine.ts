import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Missing } from './list.ts';
import type { Tool } from './step.ts';

type Manager = {
  program: string;
  asRoot: boolean;
  refresh?: string[];
  install: string[];
  /** Without a name for it, a tool is not installed. */
  packages: Partial<Record<Tool, string>>;
};

/** As most call them. */
const PACKAGES = {
  Chromium: 'chromium',
  Firefox: 'firefox',
  'D-Bus': 'dbus',
  libnotify: 'libnotify',
  Postgres: 'postgresql',
  Redis: 'redis',
  bash: 'bash',
  dash: 'dash',
  zsh: 'zsh',
};

const MANAGERS: Manager[] = [
  {
    program: 'apt-get',
    asRoot: true,
    refresh: ['update', '-qq'],
    install: ['install', '-y', '-qq', '--no-install-recommends'],
    packages: {
      ...PACKAGES,
      'Chromium shell': 'chromium-headless-shell',
      Firefox: 'firefox-esr',
      libnotify: 'libnotify-bin',
      Redis: 'redis-server',
    },
  },
  {
    program: 'dnf',
    asRoot: true,
    install: ['install', '-y', '-q'],
    packages: { ...PACKAGES, 'D-Bus': 'dbus-daemon', Postgres: 'postgresql-server' },
  },
  { program: 'apk', asRoot: true, install: ['add', '-q'], packages: PACKAGES },
  { program: 'pacman', asRoot: true, install: ['-Sy', '--noconfirm', '--needed'], packages: PACKAGES },
  { program: 'brew', asRoot: false, install: ['install', '-q'], packages: PACKAGES },
];

const PLACES: Record<Tool, { programs: string[]; files: string[] }> = {
  Chromium: {
    programs: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
    files: [
      join(homedir(), '{.cache,Library/Caches}/ms-playwright/chromium-*/chrome-*/{chrome,*.app/Contents/MacOS/*}'),
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    ],
  },
  'Chromium shell': {
    programs: ['chromium-headless-shell'],
    files: [join(homedir(), '{.cache,Library/Caches}/ms-playwright/chromium_headless_shell-*/*/*headless[-_]shell')],
  },
  Firefox: {
    programs: ['firefox-esr', 'firefox'],
    files: ['/Applications/Firefox.app/Contents/MacOS/firefox'],
  },
  'D-Bus': { programs: ['dbus-daemon'], files: [] },
  // Firefox loads its library to reach the desktop.
  libnotify: { programs: ['notify-send'], files: [] },
  Postgres: {
    programs: ['postgres'],
    files: ['/usr/lib/postgresql/*/bin/postgres', '/{opt/homebrew,usr/local}/opt/postgresql*/bin/postgres'],
  },
  Redis: { programs: ['redis-server'], files: [] },
  bash: { programs: ['bash'], files: [] },
  dash: { programs: ['dash'], files: [] },
  zsh: { programs: ['zsh'], files: [] },
};

const TOOLS = Object.keys(PLACES) as Tool[];

/** Installs what is missing through the system's package manager; returns what it could not get, with a sentence each. */
export function equipMachine(): Missing {
  const absent = TOOLS.filter((tool) => !locate(tool));
  if (absent.length === 0) return new Map();
  const manager = MANAGERS.find(({ program }) => onPath(program));
  if (manager) install(manager, absent);
  // Ubuntu has Chromium only as a snap, which no container runs.
  if (!locate('Chromium')) runQuietly(['playwright', 'install', 'chromium']);
  return new Map(absent.filter((tool) => !locate(tool)).map((tool) => [tool, howToGet(tool, manager)]));
}

/** Where a tool's program is, or undefined. */
export function locate(tool: Tool): string | undefined {
  const { programs, files } = PLACES[tool];
  return programs.map(onPath).find(Boolean) ?? globSync(files).toSorted().at(-1);
}

// One package at a time, so that one that does not exist here keeps nobody else away.
function install(manager: Manager, tools: Tool[]): void {
  const prefix = manager.asRoot ? asRoot() : [];
  const packages = tools.flatMap((tool) => manager.packages[tool] ?? []);
  if (!prefix || packages.length === 0) return;
  console.log(`Installing ${packages.join(', ')} through ${manager.program} …`);
  if (manager.refresh) runQuietly([...prefix, manager.program, ...manager.refresh]);
  for (const name of packages) runQuietly([...prefix, manager.program, ...manager.install, name]);
}

function runQuietly([program = '', ...args]: string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const ended = spawnSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], env });
  if (ended.status !== 0) console.error(`${[program, ...args].join(' ')}:\n${(ended.stderr ?? '').trimEnd()}`);
}

// The words to put before a command so that it runs as root; undefined when this person cannot.
function asRoot(): string[] | undefined {
  if (process.getuid?.() === 0) return [];
  const sudo = spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' });
  return sudo.status === 0 ? ['sudo', '-n', '--preserve-env=DEBIAN_FRONTEND'] : undefined;
}

function howToGet(tool: Tool, manager: Manager | undefined): string {
  const name = manager?.packages[tool];
  if (!manager || name === undefined)
    return `${tool} is missing and this system's package manager is not known here: install ${tool} by hand.`;
  const line = [...(manager.asRoot ? ['sudo'] : []), manager.program, ...manager.install, name];
  return `${tool} is missing; install it with: ${line.filter((word) => !/^-(q|qq)$/.test(word)).join(' ')}`;
}

function onPath(program: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}
