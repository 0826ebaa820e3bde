import { parseOrRefuse } from '#shared/faults.ts';
import { NewSource } from '#shared/wire.ts';
import { createSource } from '../sources/create.ts';
import { withHubData } from './hub-data.ts';
import { EXIT, list, parse, UsageError, type Command } from './terminal.ts';

/** `source add NAME`: a key for an agent platform; the last line of the output is the key alone. */
export const source: Command = async (args, terminal) => {
  const { values, positionals } = parse(args, {
    'may-ask': { type: 'string' },
    webhook: { type: 'string' },
    locale: { type: 'string' },
  });
  const [verb, name, ...rest] = positionals;
  if (verb !== 'add' || name === undefined || rest.length > 0) {
    throw new UsageError('Write "beckon source add NAME [--may-ask HANDLE,HANDLE] [--webhook URL] [--locale en|zh]".');
  }
  const mayAsk = list(values['may-ask']);
  const asked = parseOrRefuse(NewSource, {
    name,
    ...(mayAsk === undefined ? {} : { mayAsk }),
    ...(values.webhook === undefined ? {} : { webhookUrl: values.webhook }),
    ...(values.locale === undefined ? {} : { locale: values.locale }),
  });
  return withHubData(terminal, async ({ database, owner }) => {
    const made = await createSource(database, owner.id, asked);
    terminal.out.write(`The source "${made.source.name}" may ask ${made.source.mayAsk.join(', ') || 'nobody'}.\n`);
    terminal.out.write(
      `The secret that its webhooks are signed with, shown this once:\n${made.webhookSecret}\nIts key, shown this once:\n${made.key}\n`,
    );
    return EXIT.ok;
  });
};
