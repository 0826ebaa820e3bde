import { SETTINGS } from '../platform/settings.ts';
import { command } from './command/command.ts';
import { unknownSettings } from './unknown-settings.ts';

const OPTIONS = {
  restored: {
    type: 'boolean',
    means: 'the data comes from a backup: what was open is withdrawn, for its askers have gone on',
  },
  'shrink-history': {
    type: 'boolean',
    means: 'RETAIN_DAYS is lower than before: what is older is erased for good',
  },
} as const;

/** `serve`: runs the hub until it is stopped. */
export const serve = command({
  name: 'serve',
  does: 'run the hub',
  options: OPTIONS,
  more: `Its settings are variables of the environment:\n\n${settings()}`,
  examples: ['beckon serve', 'PORT=8080 PUBLIC_URL=https://beckon.example.com beckon serve'],
  async run({ values }, { env, err }) {
    const unknown = unknownSettings(env, Object.keys(OPTIONS));
    if (unknown !== undefined) err.write(`${unknown}\n`);
    // Only here, because the other commands need none of the hub.
    const hub = await import('../main.ts');
    await hub.serve(env, { restored: values.restored ?? false, shrinkHistory: values['shrink-history'] ?? false });
  },
});

function settings(): string {
  return SETTINGS.map((setting) => {
    const preset = 'default' in setting ? ` (default: ${setting.default})` : '';
    return `  ${setting.name.padEnd(20)} ${setting.meaning}${preset}\n`;
  }).join('');
}
