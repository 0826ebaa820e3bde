import { z } from 'zod';
import type { HandReply } from './hands.ts';
import { AnswerBody, AnswerContent, type AnswerReply, type Resolution } from './answer.ts';
import type { Inquiry } from './inquiry.ts';
import type { Proposal } from './policies/decider.ts';
import type { YoloState } from './policies/yolo.ts';
import type { Problem } from './problem.ts';
import type { Me, Notice } from './wire.ts';
import type { AccessRequest } from './schemas/enrolments.ts';
import type { PasskeyNews } from './schemas/passkeys.ts';

export const LIVE_PATH = '/live';
export const LIVE_PROTOCOL = 2;
export const HEARTBEAT_MS = 15_000;
/** Devices close this much before the hub's deadline, so that what was sent in the last moment counts. */
export const DEVICE_MARGIN_MS = 2_000;

export type Draft = {
  inquiryId: string;
  device: { id: string; name: string };
  handle: string;
  answer?: AnswerContent;
  at: string;
};

export type Snapshot = {
  version: number;
  serverTime: string;
  /** The 200 newest open inquiries of this person. */
  inquiries: Inquiry[];
  /** True when `GET /v1/inbox` has more. */
  more: boolean;
  drafts: Draft[];
  /** Absent: there is nothing of it to show. */
  yolo?: YoloState;
  /** Of all that is open for this person, those behind `more` too; absent: there are none. */
  proposals?: Proposal[];
};

export type HubToDevice = {
  snapshot(event: Snapshot): void;
  inquiry(event: { version: number; inquiry: Inquiry }): void;
  withdraw(event: { version: number; inquiryId: string; resolution: Resolution }): void;
  /** The platform that asked this had another answer already. */
  not_taken(event: { inquiryId: string }): void;
  /** Whoever asked this is gone since then, and may come back; `goneAt` absent: it is back. */
  asker(event: { inquiryId: string; goneAt?: string }): void;
  /** The call that asked this has not picked its answer up in time; or has, after that. */
  picked_up(event: { inquiryId: string; pickedUp: boolean }): void;
  /** This person set it apart until `at`; absent: no longer. */
  later(event: { version: number; inquiryId: string; at?: string }): void;
  /** `answer` absent: the words belong to another person of the group, or the draft is gone. */
  draft(event: Draft): void;
  heartbeat(event: { version: number; serverTime: string }): void;
  notice(event: { notice: Notice }): void;
  notice_read(event: { noticeId: string }): void;
  /** The hub no longer speaks this page's protocol: reload. */
  upgrade(event: { protocol: number }): void;
  /** A new device asks to sign in. */
  access_request(event: AccessRequest): void;
  /** That access request was decided or ran out. */
  access_request_withdraw(event: { enrolmentId: string; allowedOn?: string }): void;
  /** To the device that made a link: somebody opened it and shows one of these numbers. */
  claimed(event: AccessRequest & { numbers: string[] }): void;
  /** A device of this person was let in. */
  enrolled(event: { device: { id: string; name: string }; at: string }): void;
  /** One of this person's passkeys was added or removed, or their printed codes were. */
  passkey(event: PasskeyNews): void;
  /** This person changed what they are called or how they want to be asked, on one of their devices. */
  me(event: Pick<Me, 'person' | 'preferences'>): void;
  /** YOLO was started or has ended, or its end was looked at; all there is to show of it. */
  yolo(event: { version: number } & YoloState): void;
  /** What a decider proposes for this inquiry has changed; `proposal` absent: it is gone. */
  proposal(event: { version: number; inquiryId: string; proposal?: Proposal }): void;
  /** This device was revoked: forget everything. */
  revoked(event: { deviceId: string }): void;
};

export type Refused = { problem: Problem };
export type Ack<T> = (reply: T | Refused) => void;

const inquiryId = z.string().max(64);
export const LiveAnswer = AnswerBody.extend({ inquiryId });
export const LiveMark = z.object({ inquiryId });
export const LiveDraft = z.object({ inquiryId, answer: AnswerContent });
const MONTH_SECONDS = 30 * 86_400;
export const LiveExtend = z.object({
  inquiryId,
  seconds: z.number().positive().max(MONTH_SECONDS).describe('How much later, in seconds.'),
});
export const SetApart = z.strictObject({
  at: z.iso.datetime().nullable().describe('Until when, in UTC; null: it stands among the others again.'),
});
export const LiveNoticeRead = z.object({ noticeId: z.string().max(64) });

export type DeviceToHub = {
  /** `version` is that of the withdraw which the screen that answered is spared; it counts as seen. */
  answer(event: z.infer<typeof LiveAnswer>, ack: Ack<(AnswerReply | HandReply) & { version?: number }>): void;
  shown(event: { inquiryId: string }, ack: Ack<{ ok: true }>): void;
  opened(event: { inquiryId: string }, ack: Ack<{ ok: true }>): void;
  dismissed(event: { inquiryId: string }, ack: Ack<{ ok: true }>): void;
  draft(event: z.infer<typeof LiveDraft>, ack: Ack<{ ok: true }>): void;
  extend(event: z.infer<typeof LiveExtend>, ack: Ack<{ deadlineAt: string }>): void;
  /** The hub replies with a `snapshot` event and then acknowledges. */
  sync(event: Record<string, never>, ack: Ack<{ version: number }>): void;
  notice_read(event: { noticeId: string }, ack: Ack<{ ok: true }>): void;
};
