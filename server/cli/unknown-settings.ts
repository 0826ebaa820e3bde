import { SETTINGS } from '../platform/settings.ts';
import { nearest } from './command/nearest.ts';

const NAMES = SETTINGS.map(({ name }) => name);
/** Variables of agents, examples and tests, which may stand in the environment of a hub too. */
const OTHERS = /^BECKON_(URL|KEY|DEVICE|WEBHOOK_SECRET|TEST_\w+)$/;
/** What Kubernetes sets for a service that is called "beckon". */
const SERVICE_LINKS = /^BECKON_(SERVICE_(HOST|PORT\w*)|PORT(_\d+_\w+)?)$/;
const PREFIX = /^BECKON_/;
const NPM = 'npm_config_';

/**
 * One line with the variables that somebody may take for settings of the hub and it does not read, each with the setting
 * that was probably meant; undefined where there are none. Never a value, which may be a secret.
 */
export function unknownSettings(env: Record<string, string | undefined>, options: string[]): string | undefined {
  const isSet = (name: string): boolean => env[name] !== undefined && env[name].trim() !== '';
  const set = Object.keys(env).filter((name) => /^\w+$/.test(name) && isSet(name));
  const inCluster = isSet('KUBERNETES_SERVICE_HOST');
  const unknown = set
    .filter((name) => !NAMES.includes(name) && !OTHERS.test(name) && !(inCluster && SERVICE_LINKS.test(name)))
    .flatMap((name) => {
      const meant = name.startsWith(NPM) ? ofNpm(name.slice(NPM.length), options) : settingNear(name);
      if (meant === undefined) return PREFIX.test(name) ? [name] : [];
      // Beside the setting itself a similar name belongs to another program.
      return isSet(meant) && !PREFIX.test(name) ? [] : [`${name} (did you mean ${meant}?)`];
    });
  if (unknown.length === 0) return undefined;
  return `The hub does not read ${unknown.join(', ')}; "beckon serve --help" lists its settings.`;
}

/** npm keeps an option without "--" before it to itself and hands it on as a variable. */
function ofNpm(name: string, options: string[]): string | undefined {
  const option = name.replaceAll('_', '-').toLowerCase();
  if (options.includes(option)) return `npm start -- --${option}`;
  return NAMES.find((one) => one === name.toUpperCase());
}

function settingNear(name: string): string | undefined {
  // Without our prefix only a slip counts: an environment holds many names that have nothing to do with a hub.
  return nearest(name.replace(PREFIX, '').toUpperCase(), NAMES, PREFIX.test(name) ? Infinity : 2);
}
