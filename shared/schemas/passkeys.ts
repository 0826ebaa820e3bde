import { z } from 'zod';
import { Name } from '../wire.ts';

/** What a browser made of a ceremony. Its parts are read where they are verified, with one refusal for all that is wrong. */
const Ceremony = (what: string) =>
  z.record(z.string(), z.unknown()).describe(`What the browser returned of ${what}, as JSON.`);

/** Shows that it is this person: by a passkey, or by a printed code in its place. */
export const Proof = z
  .object({
    assertion: Ceremony('the sign-in with a passkey').optional(),
    code: z.string().max(100).optional().describe('A printed code, in place of a passkey.'),
  })
  .meta({ id: 'PasskeyProof', description: 'One of the two: what a passkey signed, or a printed code.' });
export type Proof = z.infer<typeof Proof>;

export const Passkey = z
  .object({
    id: z.string().describe('Its id.'),
    name: z.string().describe('What its person calls it.'),
    createdAt: z.string().describe('When it was added.'),
    usedAt: z.string().optional().describe('When it was last used; absent: not yet.'),
    synced: z.boolean().describe('True: its maker copies it to further devices of the person.'),
    elsewhere: z
      .string()
      .optional()
      .describe('The host that it was made for, where that is not the one of this hub any more: it is of no use here.'),
    removalAt: z.string().optional().describe('When it will be removed, as the owner wants it.'),
  })
  .meta({ id: 'Passkey', description: 'A passkey of a person.' });
export type Passkey = z.infer<typeof Passkey>;

const scope = z
  .string()
  .regex(/^(caution|source src_[0-9a-z]{26}|gate [a-z0-9][a-z0-9_-]{0,63})$/)
  .describe(
    '`caution`: every call marked so. `source ID`: all calls of a source. `gate NAME`: all calls through a gate.',
  );
export const PasskeyScope = z
  .strictObject({ scope })
  .meta({ id: 'PasskeyScope', description: 'Of which calls the owner wants a passkey.' });
export type PasskeyScope = z.infer<typeof PasskeyScope>;

export const Passkeys = z
  .object({
    items: z.array(Passkey).describe('Oldest first.'),
    codesLeft: z.int().describe('How many printed codes are unused.'),
    rpId: z.string().optional().describe('The host that passkeys are made for here; absent: they cannot be used.'),
    cannot: z.string().optional().describe('Why passkeys cannot be used at this address, and what to do.'),
    scopes: z.array(scope).describe('Of which calls the owner wants a passkey.'),
  })
  .meta({ id: 'Passkeys', description: 'My passkeys and printed codes, and what they are asked for.' });
export type Passkeys = z.infer<typeof Passkeys>;

export const PersonPasskeys = Passkeys.pick({ items: true, codesLeft: true }).meta({
  id: 'PersonPasskeys',
  description: 'The passkeys of a person, as the owner sees them.',
});

export const PasskeyDoes = z
  .strictObject({
    does: z
      .enum(['add', 'codes', 'remove', 'release'])
      .describe('What is to be shown to be wanted: a further passkey, new codes, a removal, or the end of a scope.'),
    id: z.string().max(200).optional().describe('With remove: the passkey. With release: the scope.'),
  })
  .meta({ id: 'PasskeyDoes', description: 'What a passkey is to sign.' });
export type PasskeyDoes = z.infer<typeof PasskeyDoes>;

export const RequestOptions = z
  .looseObject({ challenge: z.string().describe('What is signed, in base64url; it counts once and for a minute.') })
  .meta({ id: 'PasskeyRequestOptions', description: 'Options for `navigator.credentials.get`, as JSON.' });

export const CreationOptions = z
  .looseObject({ challenge: z.string().describe('What is signed, in base64url; it counts once and for a minute.') })
  .meta({ id: 'PasskeyCreationOptions', description: 'Options for `navigator.credentials.create`, as JSON.' });

export const NewPasskey = z
  .strictObject({
    name: Name.describe('What to call it.'),
    response: Ceremony('making the passkey'),
  })
  .meta({ id: 'NewPasskey', description: 'A passkey that the browser has made.' });

export const ChangePasskey = z
  .strictObject({ name: Name.describe('The new name.') })
  .meta({ id: 'ChangePasskey', description: 'Another name for a passkey.' });

export const ReleaseScope = Proof.extend({ scope }).meta({
  id: 'ReleaseScope',
  description: 'The scope that needs no passkey any more, and what shows that the owner wants it.',
});

export const PrintedCodes = z
  .object({ codes: z.array(z.string()).describe('Each counts once. They are shown only now.') })
  .meta({ id: 'PrintedCodes', description: 'New printed codes; older ones are of no use any more.' });

/** What the devices of a person are told of their passkeys. */
export type PasskeyNews = {
  what: 'added' | 'removed' | 'removal' | 'kept' | 'codes' | 'code_used';
  name?: string;
  at: string;
};
