import {
  ChangePasskey,
  CreationOptions,
  NewPasskey,
  Passkey,
  PasskeyDoes,
  Passkeys,
  PasskeyScope,
  PersonPasskeys,
  PrintedCodes,
  Proof,
  ReleaseScope,
  RequestOptions,
  type PasskeyNews,
} from '#shared/schemas/passkeys.ts';
import { AppError } from '#shared/problem.ts';
import { iso } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { deviceOf, routeFor, type DeviceCaller } from '../../platform/http/access.ts';
import { DONE, Id } from '../../platform/http/params.ts';
import type { Http } from '../../platform/http/server.ts';
import { within } from '../../platform/steps.ts';
import { requirePasskeys, type Signer, type Subject } from './challenge.ts';
import { creationOptions, requestOptions } from './options.ts';
import type { Relying } from './relying.ts';
import { release, requireFor } from './scopes.ts';
import * as store from './store.ts';
import { spend, verifyNew, verifyProof, type Verified } from './verify.ts';

export type PasskeyDeps = {
  database: Database;
  relying: () => Relying;
  /** Tells all devices of a person what became of their passkeys. */
  tell(personId: string, news: PasskeyNews): void;
};

const signerOf = ({ id, person }: DeviceCaller): Signer => ({ deviceId: id, personId: person.id });

/** A person's calls about their passkeys and printed codes. */
export function passkeyRoutes(app: Http, deps: PasskeyDeps): void {
  const { database, relying } = deps;
  const route = routeFor('device', 'Passkeys');
  makingRoutes(app, deps);
  endingRoutes(app, deps);
  scopeRoutes(app, deps);
  route(app, 'GET /v1/passkeys', 'List my passkeys', {
    operationId: 'listPasskeys',
    description: 'With how many printed codes are left, and of which calls the owner wants a passkey.',
    response: { 200: Passkeys },
    handler: async (request) => {
      const { rpId, cannot } = relying();
      const own = await store.readPasskeys(database.read, deviceOf(request).person.id, relying());
      const scopes = await store.readScopes(database.read);
      return { ...own, ...(rpId === undefined ? {} : { rpId }), ...(cannot === undefined ? {} : { cannot }), scopes };
    },
  });
  route(app, 'PATCH /v1/passkeys/:id', 'Give one of my passkeys another name', {
    operationId: 'renamePasskey',
    description: 'What it is called here; the device that keeps it has a name of its own.',
    problems: ['passkey.unknown'],
    params: Id,
    body: ChangePasskey,
    response: { 200: Passkey },
    handler: (request) => {
      const { person } = deviceOf(request);
      const change = { personId: person.id, id: request.params.id, name: request.body.name };
      return store.renamePasskey(database, change, relying());
    },
  });
}

/** What shows that a person means it, verified; it counts once it is spent. */
function prove({ database, relying }: PasskeyDeps, signer: Signer, subject: Subject, proof: Proof): Promise<Verified> {
  return verifyProof(database, relying(), signer, subject, proof);
}

function makingRoutes(app: Http, deps: PasskeyDeps): void {
  const { database, relying, tell } = deps;
  const route = routeFor('device', 'Passkeys');
  const now = () => database.clock.now();

  route(app, 'POST /v1/passkeys/challenge', 'Begin to show that something is wanted', {
    operationId: 'challengePasskey',
    description: 'Options for the browser, with a challenge for exactly this, on this device, once, for a minute.',
    problems: ['passkey.cannot', 'passkey.none'],
    body: PasskeyDoes,
    response: { 200: RequestOptions },
    handler: async (request) =>
      requestOptions(database, requirePasskeys(relying()), signerOf(deviceOf(request)), request.body),
  });

  route(app, 'POST /v1/passkeys/options', 'Begin to add a passkey', {
    operationId: 'beginPasskey',
    description:
      'Options for the browser. Who has passkeys or printed codes shows with one of them that they want another: whoever finds a device signed in cannot.',
    problems: ['passkey.cannot', 'passkey.needed', 'passkey.refused'],
    body: Proof,
    response: { 200: CreationOptions },
    handler: async (request) => {
      const here = requirePasskeys(relying());
      const signer = signerOf(deviceOf(request));
      const rows = await store.rowsOf(database.read, signer.personId);
      if (rows.length > 0 || (await store.codesLeft(database.read, signer.personId)) > 0) {
        if (request.body.assertion === undefined && request.body.code === undefined)
          throw new AppError(
            403,
            'passkey.needed',
            'You have a passkey or printed codes: show with one of them that you want another passkey.',
          );
        const verified = await prove(deps, signer, { does: 'add' }, request.body);
        await database.transaction((trx) => within(trx, spend(verified, now())));
        if ('code' in verified) tell(signer.personId, { what: 'code_used', at: iso(now()) });
      }
      return creationOptions(database, here, signer, deviceOf(request).person);
    },
  });

  route(app, 'POST /v1/passkeys', 'Add a passkey', {
    operationId: 'addPasskey',
    description: 'One that the browser made with the options of this device. All my devices are told.',
    problems: ['passkey.cannot', 'passkey.refused', 'passkey.too_many'],
    body: NewPasskey,
    response: { 201: Passkey },
    handler: async (request) => {
      const signer = signerOf(deviceOf(request));
      const made = await verifyNew(database, requirePasskeys(relying()), signer, request.body.response);
      const passkey = await store.addPasskey(database, signer, request.body.name, made);
      tell(signer.personId, { what: 'added', name: passkey.name, at: passkey.createdAt });
      return passkey;
    },
  });

  route(app, 'POST /v1/passkeys/codes', 'Print one-time codes', {
    operationId: 'printCodes',
    description: 'Ten new ones; older ones are of no use any more. All my devices are told.',
    problems: ['passkey.cannot', 'passkey.refused'],
    body: Proof,
    response: { 200: PrintedCodes },
    handler: async (request) => {
      const signer = signerOf(deviceOf(request));
      const codes = await store.renewCodes(
        database,
        signer,
        await prove(deps, signer, { does: 'codes' }, request.body),
      );
      tell(signer.personId, { what: 'codes', at: iso(now()) });
      return { codes };
    },
  });
}

function endingRoutes(app: Http, deps: PasskeyDeps): void {
  const { database, relying, tell } = deps;
  const route = routeFor('device', 'Passkeys');
  const ofOwner = routeFor('owner', 'Passkeys');
  const at = () => iso(database.clock.now());

  route(app, 'POST /v1/passkeys/:id/remove', 'Remove one of my passkeys', {
    operationId: 'removePasskey',
    description: 'With a passkey, also itself, or with a printed code. All my devices are told.',
    problems: ['passkey.cannot', 'passkey.refused', 'passkey.unknown', 'passkey.last'],
    params: Id,
    body: Proof,
    response: DONE,
    handler: async (request) => {
      const signer = signerOf(deviceOf(request));
      const { id } = request.params;
      const verified = await prove(deps, signer, { does: 'remove', id }, request.body);
      const name = await store.removePasskey(database, signer, id, verified);
      tell(signer.personId, { what: 'removed', name, at: at() });
    },
  });

  ofOwner(app, 'GET /v1/people/:id/passkeys', 'List the passkeys of a person', {
    operationId: 'listPasskeysOf',
    description: 'Nobody but the person can add any.',
    problems: ['person.unknown'],
    params: Id,
    response: { 200: PersonPasskeys },
    handler: async ({ params }) => {
      const { read } = database;
      if (!(await read.selectFrom('people').select('id').where('id', '=', params.id).executeTakeFirst()))
        throw new AppError(404, 'person.unknown', 'There is no such person here.');
      return store.readPasskeys(read, params.id, relying());
    },
  });

  ofOwner(app, 'POST /v1/passkeys/:id/removal', 'Remove a passkey of a person after a day', {
    operationId: 'askPasskeyRemoval',
    description: 'For somebody who lost it. All their devices are told now, and they can keep it until then.',
    problems: ['passkey.unknown'],
    params: Id,
    response: DONE,
    handler: async ({ params }) => {
      const { personId, name } = await store.askRemoval(database, params.id, true);
      tell(personId, { what: 'removal', name, at: at() });
    },
  });

  route(app, 'DELETE /v1/passkeys/:id/removal', 'Keep a passkey that the owner wants removed', {
    operationId: 'keepPasskey',
    description: 'Its person and the owner can, before the day is over.',
    problems: ['passkey.unknown'],
    params: Id,
    response: DONE,
    handler: async (request) => {
      const { person } = deviceOf(request);
      const { id } = request.params;
      if (!person.owner && (await store.personOf(database.read, id)) !== person.id) throw store.unknownPasskey();
      const { personId, name } = await store.askRemoval(database, id, false);
      tell(personId, { what: 'kept', name, at: at() });
    },
  });
}

function scopeRoutes(app: Http, deps: PasskeyDeps): void {
  const { database } = deps;
  const route = routeFor('owner', 'Passkeys');

  route(app, 'POST /v1/passkeys/scopes', 'Want a passkey for some calls', {
    operationId: 'requirePasskeys',
    description: 'For what is asked from now on. You need two passkeys, or one and printed codes.',
    problems: ['passkey.too_few'],
    body: PasskeyScope,
    response: DONE,
    handler: (request) => requireFor(database, request.body.scope, signerOf(deviceOf(request))),
  });

  route(app, 'POST /v1/passkeys/scopes/release', 'Want no passkey for them any more', {
    operationId: 'releasePasskeys',
    description: 'With a passkey or a printed code, for what is asked from now on.',
    problems: ['passkey.cannot', 'passkey.refused'],
    body: ReleaseScope,
    response: DONE,
    handler: async (request) => {
      const { scope: id, ...proof } = request.body;
      const verified = await prove(deps, signerOf(deviceOf(request)), { does: 'release', id }, proof);
      await release(database, id, verified);
    },
  });
}
