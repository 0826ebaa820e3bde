import { SETTINGS } from '../platform/settings.ts';
import { EXIT, parse, UsageError, type Command } from './terminal.ts';

/** `serve`: runs the hub until it is stopped; `serve --help` lists its settings. */
export const serve: Command = async (args, terminal) => {
  const { values, positionals } = parse(args, { help: { type: 'boolean', short: 'h' }, restored: { type: 'boolean' } });
  if (positionals.length > 0)
    throw new UsageError('Write "beckon serve"; its settings come from the environment, see "beckon serve --help".');
  if (values.help) {
    terminal.out.write(settingsHelp());
    return EXIT.ok;
  }
  // Only here, because the other commands need none of the hub.
  const hub = await import('../main.ts');
  await hub.serve(terminal.env, { restored: values.restored ?? false });
  return EXIT.ok;
};

function settingsHelp(): string {
  const rows = SETTINGS.map((setting) => {
    const preset = 'default' in setting ? ` (default: ${setting.default})` : '';
    return `  ${setting.name.padEnd(16)} ${setting.meaning}${preset}\n`;
  });
  return `beckon serve\n\nRuns the hub. Its settings are variables of the environment:\n\n${rows.join('')}`;
}
