import { parseOrRefuse } from '#shared/faults.ts';
import { AppError } from '#shared/problem.ts';
import { ChangeDevice, NewPerson, NewSource } from '#shared/wire.ts';
import { addDevice } from '../devices/admit.ts';
import { linkForPerson } from '../devices/enrolments/link.ts';
import { invite, linkPerson, type MakeLink } from '../people/invite.ts';
import { findPersonByHandle } from '../people/store.ts';
import { createSource } from '../sources/create.ts';
import { withHubData, type HubData } from './command/hub-data.ts';
import { EXIT, list, parse, UsageError, type Command } from './command/terminal.ts';
import { printLink } from './welcome.ts';

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
  const asked = parseOrRefuse(NewSource, {
    name,
    mayAsk: list(values['may-ask']),
    webhookUrl: values.webhook,
    locale: values.locale,
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

/** `person add HANDLE` and `person link HANDLE`: a one-time link that lets a device of that person in. */
export const person: Command = async (args, terminal) => {
  const { values, positionals } = parse(args, { name: { type: 'string' }, json: { type: 'boolean' } });
  const [verb, handle, ...rest] = positionals;
  if ((verb !== 'add' && verb !== 'link') || handle === undefined || rest.length > 0) {
    throw new UsageError(
      'Write "beckon person add HANDLE [--name NAME] [--json]" or "beckon person link HANDLE [--json]".',
    );
  }
  return withHubData(terminal, async (data) => {
    const { database, publicUrl, settings } = data;
    const makeLink: MakeLink = (trx, whose) => linkForPerson(trx, publicUrl, whose, database.clock.now());
    const { link, expiresAt } =
      verb === 'link'
        ? await linkPerson(database, makeLink, await personIdOf(data, handle), null)
        : await invite(database, makeLink, parseOrRefuse(NewPerson, { handle, name: values.name }), null);
    if (values.json) terminal.out.write(`${JSON.stringify({ link, expiresAt })}\n`);
    else await printLink({ link, expiresAt }, { out: terminal.out, dataDir: settings.DATA_DIR, whose: handle });
    return EXIT.ok;
  });
};

/** `device add HANDLE NAME`: a device's token for scripts and tests. */
export const device: Command = async (args, terminal) => {
  const { values, positionals } = parse(args, { json: { type: 'boolean' } });
  const [verb, handle, name, ...rest] = positionals;
  if (verb !== 'add' || handle === undefined || name === undefined || rest.length > 0) {
    throw new UsageError('Write "beckon device add HANDLE NAME [--json]".');
  }
  return withHubData(terminal, async (data) => {
    const personId = await personIdOf(data, handle);
    const { name: checked } = parseOrRefuse(ChangeDevice, { name });
    const { deviceId, accessToken } = await addDevice(data.database, personId, checked);
    if (values.json) terminal.out.write(`${JSON.stringify({ deviceId, accessToken })}\n`);
    else
      terminal.out.write(
        `The device ${deviceId} ("${name}") of ${handle} is in. Its token is shown this once:\n${accessToken}\n`,
      );
    return EXIT.ok;
  });
};

async function personIdOf({ database }: HubData, handle: string): Promise<string> {
  const found = await findPersonByHandle(database.read, handle);
  if (found) return found.id;
  const detail = `There is no person "${handle}" here; "beckon person add ${handle}" makes one.`;
  throw new AppError(404, 'person.unknown', detail);
}
