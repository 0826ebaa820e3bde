import { parseOrRefuse } from '#shared/faults.ts';
import { AppError } from '#shared/problem.ts';
import { NewPerson, type Person } from '#shared/wire.ts';
import { linkForPerson } from '../devices/enrolments/link.ts';
import { withdrawAskedOf } from '../inquiries/withdraw.ts';
import { invite, linkPerson, type MakeLink } from '../people/invite.ts';
import { removePerson } from '../people/remove.ts';
import { findPersonByHandle, listPeople, tieAccount } from '../people/store.ts';
import { command } from './command/command.ts';
import { ALL, withHubData, withNewHubData, type HubData } from './command/hub-data.ts';
import { print, printList, UsageError, type Terminal } from './command/terminal.ts';
import { closingBeside } from './removal.ts';
import { printLink } from './welcome.ts';

const personAdd = command({
  name: 'person add',
  does: 'invite a person with a one-time link',
  args: ['HANDLE'],
  options: { name: { type: 'string', value: 'NAME', means: 'what people read; by default the handle' } },
  json: true,
  examples: ['beckon person add anna --name "Anna Berg"'],
  run: ({ values, args: [handle = ''], json }, terminal) =>
    withNewHubData(terminal, async (data) => {
      const asked = parseOrRefuse(NewPerson, { handle, name: values.name });
      const made = await invite(data.database, createMakeLink(data), asked, null);
      return showLink(terminal, data, { ...made, handle, json });
    }),
});

const personLink = command({
  name: 'person link',
  does: 'make another one-time link for a person, for instance after a lost phone',
  args: ['HANDLE'],
  json: true,
  examples: ['beckon person link owner', "beckon person link anna --json | jq -r '.link'"],
  run: ({ args: [handle = ''], json }, terminal) =>
    withHubData(terminal, async (data) => {
      const { id } = await personCalled(data, handle);
      return showLink(terminal, data, {
        ...(await linkPerson(data.database, createMakeLink(data), id, null)),
        handle,
        json,
      });
    }),
});

const personTie = command({
  name: 'person tie',
  does: 'let JWTs of an account at a trusted issuer sign a person in',
  args: ['HANDLE', 'ISSUER', 'SUBJECT'],
  options: { replace: { type: 'boolean', means: 'also where the person or the account is tied already' } },
  json: true,
  more: `ISSUER is one of TRUSTED_ISSUERS, SUBJECT the "sub" of its JWTs. A person has one account, and an account one person.
Devices that are in stay in. Where ISSUER is one of KEYCLOAK_ISSUERS, its sign-ins of SUBJECT, there also a user name, are asked of them.`,
  examples: ['beckon person tie anna https://login.example.com 248289761001'],
  run: ({ values: { replace }, args: [handle = '', issuer = '', subject = ''], json }, terminal) =>
    withHubData(terminal, async (data) => {
      const { id } = await personCalled(data, handle);
      const { TRUSTED_ISSUERS = [], KEYCLOAK_ISSUERS } = data.settings;
      const trusted = [...TRUSTED_ISSUERS.map((one) => one.issuer), ...KEYCLOAK_ISSUERS];
      if (!trusted.includes(issuer))
        throw new UsageError(
          `${issuer} is none of TRUSTED_ISSUERS or KEYCLOAK_ISSUERS${trusted.length > 0 ? `: ${trusted.join(', ')}` : ', which is not set'}.`,
        );
      if (subject === '') throw new UsageError('SUBJECT is empty; it is the "sub" of the JWTs of this account.');
      await tieAccount(data.database, id, { issuer, subject, replace });
      const says = TRUSTED_ISSUERS.some((one) => one.issuer === issuer)
        ? `JWTs of ${subject} at ${issuer} sign ${handle} in.`
        : `Sign-ins of ${subject} at ${issuer} are asked of ${handle}.`;
      print(terminal, json, { id, issuer, subject }, says);
    }),
});

const personList = command({
  name: 'person list',
  does: 'list the people, oldest first',
  json: true,
  examples: ['beckon person list'],
  run: ({ json }, terminal) =>
    withHubData(terminal, async ({ database }) => {
      const { items } = await listPeople(database.read, '', ALL);
      const columns = {
        HANDLE: (one: Person) => one.handle,
        NAME: (one: Person) => one.name,
        OWNER: (one: Person) => (one.owner ? 'owner' : ''),
        SINCE: (one: Person) => one.createdAt,
      };
      printList(terminal.out, items, { json, columns });
    }),
});

const personRemove = command({
  name: 'person remove',
  does: 'remove a person and their devices; questions addressed only to them are withdrawn',
  args: ['HANDLE'],
  json: true,
  more: 'Their devices are out at once, and a page that is open closes within seconds. The owner cannot be removed.',
  examples: ['beckon person remove anna'],
  run: ({ args: [handle = ''], json }, terminal) =>
    withHubData(terminal, async (data) => {
      const { id } = await personCalled(data, handle);
      const devices = await removePerson(data.database, id, withdrawAskedOf(closingBeside(data)));
      const count = `${devices.length} ${devices.length === 1 ? 'device' : 'devices'}`;
      print(terminal, json, { removed: id, devices }, `${handle} is removed, with ${count}.`);
    }),
});

function createMakeLink({ database, publicUrl }: HubData): MakeLink {
  return (trx, whose) => linkForPerson(trx, publicUrl, whose, database.clock.now());
}

async function showLink(
  { out }: Terminal,
  { settings }: HubData,
  { link, expiresAt, handle, json }: { link: string; expiresAt: string; handle: string; json: boolean },
): Promise<void> {
  if (json) out.write(`${JSON.stringify({ link, expiresAt })}\n`);
  else await printLink({ link, expiresAt }, { out, dataDir: settings.DATA_DIR, whose: handle });
}

/** The person with this handle, or 404 that says how to make one. */
export async function personCalled({ database }: HubData, handle: string): Promise<Person> {
  const found = await findPersonByHandle(database.read, handle);
  if (found) return found;
  const detail = `There is no person "${handle}" here; "beckon person add ${handle}" makes one.`;
  throw new AppError(404, 'person.unknown', detail);
}

export const personCommands = [personAdd, personLink, personTie, personList, personRemove];
