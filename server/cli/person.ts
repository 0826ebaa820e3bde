import { parseOrRefuse } from '#shared/faults.ts';
import { AppError } from '#shared/problem.ts';
import { NewPerson } from '#shared/wire.ts';
import { linkForPerson } from '../devices/enrolments/link.ts';
import { invite, linkPerson, type MakeLink } from '../people/invite.ts';
import { findPersonByHandle } from '../people/store.ts';
import type { HubData } from './hub-data.ts';
import { withHubData } from './hub-data.ts';
import { printLink } from './print-link.ts';
import { EXIT, parse, UsageError, type Command, type Terminal } from './terminal.ts';

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
    const made = verb === 'add' ? await add(data, handle, values.name) : await link(data, handle);
    await show(made, { json: values.json ?? false, handle, data, terminal });
    return EXIT.ok;
  });
};

async function add(data: HubData, handle: string, name: string | undefined) {
  return invite(
    data.database,
    linkMaker(data),
    parseOrRefuse(NewPerson, { handle, ...(name === undefined ? {} : { name }) }),
    null,
  );
}

async function link(data: HubData, handle: string) {
  const found = await findPersonByHandle(data.database.read, handle);
  if (!found) throw unknownHandle(handle);
  return linkPerson(data.database, linkMaker(data), found.id, null);
}

function linkMaker({ database, publicUrl }: HubData): MakeLink {
  return (trx, whose) => linkForPerson(trx, publicUrl, whose, database.clock.now());
}

type Show = { json: boolean; handle: string; data: HubData; terminal: Terminal };

async function show(made: { link: string; expiresAt: string }, { json, handle, data, terminal }: Show): Promise<void> {
  if (json) terminal.out.write(`${JSON.stringify({ link: made.link, expiresAt: made.expiresAt })}\n`);
  else await printLink(made, { out: terminal.out, dataDir: data.settings.DATA_DIR, whose: handle });
}

export function unknownHandle(handle: string): AppError {
  return new AppError(
    404,
    'person.unknown',
    `There is no person "${handle}" here; "beckon person add ${handle}" makes one.`,
  );
}
