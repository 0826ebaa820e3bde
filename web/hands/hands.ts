import type { Decision } from '#shared/answer.ts';
import type { Action, Inquiry } from '#shared/inquiry.ts';
import type { Hand } from '#shared/schemas/approvals.ts';
import { readArgsText } from '../live/inquiries.ts';
import type { CallReply, Reply } from '../inquiry/reply/state.ts';

/** Who has approved an inquiry that several people have to approve, and who may. */
export type Hands = {
  count: number;
  given: readonly Hand[];
  /** This person's own. */
  own: Hand | undefined;
  /** Handles of those who may approve too, without this person. */
  others: string[];
  /** Who changed a call, where one was: what stands is approved as they left it. */
  editor: Hand | undefined;
};

/** How the approvals of an inquiry stand for this person; undefined where one is enough. */
export function readHands(
  { approvals, approved: given = [], people = [], standing = [] }: Inquiry,
  reader: { id: string; handle: string } | undefined,
): Hands | undefined {
  if (!approvals) return undefined;
  return {
    count: approvals.count,
    given,
    own: given.find(({ by }) => by.personId === reader?.id),
    others: people.filter((handle) => handle !== reader?.handle && given.every(({ by }) => by.handle !== handle)),
    editor: standing.some(isEdit) ? given[0] : undefined,
  };
}

/** Who approved a resolved inquiry, the last one too, which a page that was open has not been told of. */
export function approversOf({ approved = [], resolution }: Pick<Inquiry, 'approved' | 'resolution'>): string[] {
  const handles = approved.map(({ by }) => by.handle);
  const { by, answer } = resolution ?? {};
  const yes = answer?.decisions?.some(({ type }) => type === 'approve' || type === 'edit') ?? false;
  return by?.kind === 'person' && yes ? [...new Set([...handles, by.handle])] : handles;
}

/** The inquiry with its calls as they stand after somebody changed them: that is what the next person approves (APR4). */
export function asStanding(inquiry: Inquiry): Inquiry {
  const { standing = [], actions = [] } = inquiry;
  if (!standing.some(isEdit)) return inquiry;
  const argsText = actions.map((_action, at) => editedText(standing[at]) ?? readArgsText(inquiry, at));
  const changed = actions.map((action, at): Action => {
    const text = editedText(standing[at]);
    if (text === undefined) return action;
    // What would change in files was told of the call as it was asked.
    const { diff: _asAsked, ...rest } = action;
    return { ...rest, args: JSON.parse(text) as Action['args'] };
  });
  return { ...inquiry, actions: changed, argsText };
}

/** The reply to it as it stands: where this person has decided nothing, no call runs that others have kept from running. */
export function replyTo(shown: Inquiry, reply: Reply): Reply {
  const calls = reply.calls.map((call, at): CallReply => {
    const one = shown.standing?.[at];
    const argsText = readArgsText(shown, at);
    if (call.own) return call.type === 'approve' ? { ...call, argsText } : call;
    if (one?.type !== 'reject' && one?.type !== 'respond') return { ...call, argsText };
    return { ...call, argsText, type: one.type, message: one.message ?? '', own: true };
  });
  return { ...reply, calls };
}

/** The reply as it is sent: a call that somebody changed is approved with what they changed. */
export function withStanding({ standing = [] }: Inquiry, reply: Reply): Reply {
  const calls = reply.calls.map((call, at) => {
    const text = editedText(standing[at]);
    if (text === undefined || call.type !== 'approve') return call;
    const { optionId: _plain, ...rest } = call;
    return { ...rest, type: 'edit' as const, argsText: text };
  });
  return { ...reply, calls };
}

function isEdit({ type }: Decision): boolean {
  return type === 'edit';
}

function editedText(decision: Decision | undefined): string | undefined {
  return decision?.type === 'edit' ? (decision.argsText ?? JSON.stringify(decision.args)) : undefined;
}
