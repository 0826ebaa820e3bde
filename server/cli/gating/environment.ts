/** The hub's own secrets, in whatever environment they stand. */
const SECRET = ['BECKON_KEY', 'DATABASE_URL', 'REDIS_URL', 'SEALING_KEY', 'METRICS_TOKEN'];

type Environment = Record<string, string | undefined>;

/**
 * The environment that a program gets from `beckon gate`: what its client set for it, without the hub's
 * secrets and what was preset for the hub alone. With a key of its own the only one is that key; without, the environment is that of the hub's machine.
 */
export function environmentOfWrapped(own: Environment, presets: Record<string, string> = {}): Environment {
  const hidden = [...Object.keys(presets), ...(own['BECKON_KEY'] ? ['BECKON_KEY'] : SECRET)];
  const ofNpm = byNpm(own) ? OF_NPM : /^$/;
  return Object.fromEntries(Object.entries(own).filter(([name]) => !hidden.includes(name) && !ofNpm.test(name)));
}

/** Where the client started it: `npm run` changes to the folder of its package. */
export function folderOfWrapped(own: Environment, here: string): string {
  return (byNpm(own) && own['INIT_CWD']) || here;
}

/** What `npm run` says of itself; an npm or npx that is wrapped would take it for its own. */
const OF_NPM =
  /^(INIT_CWD|npm_(command|execpath|node_execpath|(lifecycle|package)_.*|config_(local_|global_)?prefix))$/;

function byNpm(own: Environment): boolean {
  return own['npm_package_name'] === 'beckon' && own['npm_lifecycle_event'] !== undefined;
}
