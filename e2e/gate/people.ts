import type { AnswerBody, AnswerReply, Decision } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { must } from '../hub/call.ts';
import type { Device } from '../hub/people.ts';
import { until } from '../hub/until.ts';

/** The open inquiries on a device once there are so many, oldest first. */
export async function asked(hub: { url: string }, { token }: Device, count = 1): Promise<[Inquiry, ...Inquiry[]]> {
  const inquiries = await until(`${count} open inquiries`, async () => {
    const { items: open } = await must<{ items: Inquiry[] }>(hub, 'GET /v1/inbox', { token });
    return open.length === count && open;
  });
  return inquiries.toSorted((a, b) => (a.id < b.id ? -1 : 1)) as [Inquiry, ...Inquiry[]];
}

/** Waits until nothing is open on a device. */
export async function nothingAsked(hub: { url: string }, { token }: Device): Promise<void> {
  await until('nothing open', async () => {
    const { items } = await must<{ items: Inquiry[] }>(hub, 'GET /v1/inbox', { token });
    return items.length === 0;
  });
}

/** A person answers on a device. */
export async function answer(
  hub: { url: string },
  { token }: Device,
  { id, digest }: Inquiry,
  body: AnswerBody,
): Promise<AnswerReply> {
  return must(hub, `POST /v1/inquiries/${id}/answer`, { token, body: { digest, ...body } });
}

/** A person decides about the one action of an inquiry. */
export async function decide(
  hub: { url: string },
  device: Device,
  inquiry: Inquiry,
  decision: Decision,
): Promise<void> {
  await answer(hub, device, inquiry, { decisions: [decision] });
}
