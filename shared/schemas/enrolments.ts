import { z } from 'zod';
import { Name, Person } from '../wire.ts';

const begun = {
  enrolmentId: z.string().describe('The id of the link or the access request.'),
  expiresAt: z.string().describe('When it runs out.'),
};

export const NewEnrolment = z
  .strictObject({
    handle: z.string().min(1).max(100).describe('Whose device the caller is, where it has no token.'),
    deviceName: Name.describe('What it calls itself.'),
  })
  .partial()
  .meta({
    id: 'NewEnrolment',
    description:
      "With a device's token: make a link for another device. Without: ask to sign in with the person's handle.",
  });
export const FirstEnrolment = z.object({ waiting: z.boolean().describe('True: no device is signed in yet.') }).meta({
  id: 'FirstEnrolment',
  description:
    '`waiting`: no device is signed in, so that none can be asked; the link of the first one is where the hub was started.',
});
export type FirstEnrolment = z.infer<typeof FirstEnrolment>;
export const AddressCheck = z
  .object({
    address: z.string().describe('The address that was looked at.'),
    verdict: z
      .enum(['ok', 'local', 'plain', 'other', 'unreachable', 'unreadable'])
      .describe(
        'ok: another device can open it. local: it names the device that opens it. plain: no https, so no notifications. other: the hub is started for another address. unreachable: nothing answered. unreadable: it is no address.',
      ),
    detail: z.string().optional().describe('For which address it is started, or why nothing answered.'),
  })
  .meta({
    id: 'AddressCheck',
    description:
      '* Whether another device can open the hub at `address`: `ok`; `local`: it names the device that opens it; `plain`: no https, so without notifications; `other`: the hub is started for `detail`; `unreachable`: `detail` says why.',
  });
export type AddressCheck = z.infer<typeof AddressCheck>;
export const EnrolmentLink = z
  .object({
    ...begun,
    link: z.string().describe('The link; who opens it first comes in.'),
  })
  .meta({ id: 'EnrolmentLink', description: "Reply to a signed-in device: the secret stands in the link's fragment." });
export type EnrolmentLink = z.infer<typeof EnrolmentLink>;
const SourceRequest = z
  .object({
    host: z.string().optional().describe('The machine that asks, as it names itself.'),
    userCode: z.string().describe('The code that its screen shows too; whoever allows it compares the two.'),
    askedAt: z.string().describe('When it asked.'),
  })
  .meta({ id: 'SourceRequest', description: 'What a request for a key of a source says beside.' });
export const AccessRequest = z
  .object({
    ...begun,
    deviceName: z.string().describe('What the new device, or the new source, calls itself.'),
    userAgent: z.string().describe('The browser of the device, as it names itself.'),
    address: z.string().describe('The network address it called from.'),
    source: SourceRequest.optional().describe('It asks for the key of a new source, and not to sign in.'),
  })
  .meta({
    id: 'AccessRequest',
    description:
      'A device that asks to sign in, or an agent that asks for a key; shown on every signed-in device of the person.',
  });
export type AccessRequest = z.infer<typeof AccessRequest>;
export const AccessRequested = z
  .object(begun)
  .meta({ id: 'AccessRequested', description: 'Reply to an access request, the same for a handle nobody has.' });
export type AccessRequested = z.infer<typeof AccessRequested>;
export const AllowEnrolment = z
  .strictObject({
    userCode: z
      .string()
      .max(20)
      .optional()
      .describe('For the key of a source: the code that this device shows, compared with the other screen.'),
  })
  .meta({ id: 'AllowEnrolment', description: '`allow` of a request for the key of a source names its code.' });
export const EnrolmentAllowed = z
  .object({
    code: z.string().optional().describe('Six digits to type on the new device; absent for a source.'),
    expiresAt: z.string().describe('When it runs out.'),
  })
  .meta({
    id: 'EnrolmentAllowed',
    description: 'Reply to `allow`: the six digits to type on the new device. A source gets its key by itself.',
  });
export const ConfirmEnrolment = z
  .strictObject({
    number: z
      .string()
      .regex(/^\d{2}$/)
      .describe('The two digits that the new device shows.'),
  })
  .meta({
    id: 'ConfirmEnrolment',
    description: '`confirm` on the device that made the link: the number that the new device shows.',
  });
export const RedeemEnrolment = z
  .strictObject({
    secret: z.string().max(200).describe('From the fragment of a link.'),
    enrolmentId: z.string().max(64).describe('With code: of the access request. With claim: of the link.'),
    code: z.string().max(20).describe('The six digits that another device shows.'),
    claim: z.string().max(200).describe('From the 202 before, while the link waits to be confirmed.'),
    jwt: z.string().max(16_384).describe('A JWT of an issuer that the operator trusts.'),
    deviceName: Name.describe('What the device calls itself.'),
  })
  .partial()
  .meta({
    id: 'RedeemEnrolment',
    description:
      'Exactly one of: `secret` (a link), `enrolmentId` + `code` (an access request), `enrolmentId` + `claim` (waiting for `confirm`), `jwt`.',
  });
export const Enrolled = z
  .object({
    deviceId: z.string().describe('The id of the device.'),
    accessToken: z.string().describe('Its token, bkd_…; shown this once.'),
    person: Person.describe('The person.'),
  })
  .meta({ id: 'Enrolled', description: '200: the device is in. Its token is shown this once.' });
export type Enrolled = z.infer<typeof Enrolled>;
export const Claimed = z
  .object({
    ...begun,
    claim: z.string().describe('Send it with enrolmentId until the other device has confirmed.'),
    number: z.string().describe('Two digits to show; the other device picks them.'),
  })
  .meta({ id: 'Claimed', description: '202: show `number`; ask again with `claim` until 200.' });
export type Claimed = z.infer<typeof Claimed>;
export const EnrolmentState = AccessRequest.extend({
  kind: z
    .enum(['link', 'access_request', 'source_request'])
    .describe('link: a device made it. access_request: a new device asked. source_request: an agent asked for a key.'),
  state: z
    .enum(['open', 'claimed', 'confirmed', 'allowed', 'used', 'refused', 'expired'])
    .describe('How far it has come.'),
  allowedOn: z.string().optional().describe('The name of the device that allowed it.'),
  numbers: z
    .array(z.string())
    .optional()
    .describe('To the device that made the link, while it must pick one: the numbers to choose from.'),
}).meta({
  id: 'EnrolmentState',
  description:
    'One link or access request, for a device that asks how far it came. `numbers` only to the device that made the link, while it must pick one.',
});
export type EnrolmentState = z.infer<typeof EnrolmentState>;
