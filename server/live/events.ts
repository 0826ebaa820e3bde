import { z } from 'zod';
import { parseOrRefuse } from '#shared/faults.ts';
import { LiveAnswer, LiveDraft, LiveExtend, LiveMark, LiveNoticeRead } from '#shared/live.ts';
import { mark, type Mark, type Marker } from '../deliveries/inquiry-devices.ts';
import { answerInquiry } from '../inquiries/answer.ts';
import { refuseStrangeAnswer } from '../inquiries/check.ts';
import { toAnswerer } from '../inquiries/answerer.ts';
import type { Inquiries } from '../inquiries/inquiries.ts';
import { saveDraft } from '../inquiries/draft.ts';
import { extendInquiry } from '../inquiries/extend.ts';
import { refuseForeign } from '../inquiries/state.ts';
import type { DeviceCaller } from '../platform/http/access.ts';
import { iso } from '../platform/clock.ts';
import { exceptSocketKey, type ExceptSocket } from './announce.ts';
import { catchUp, type Inbox } from './catch-up.ts';
import type { Handlers } from './border/receive.ts';
import { personRoom, type LiveServer } from './border/sockets.ts';

export type ReadNotice = (personId: string, noticeId: string) => Promise<void>;
const MS_BETWEEN_DRAFTS = 500;

export type EventParts = {
  io: LiveServer;
  inquiries: Inquiries;
  inbox: Inbox;
  marker: Marker;
  readNotice: ReadNotice;
  exceptSocket: ExceptSocket;
};

/** What a device can do over its live line: the same verbs as over HTTP, under the same rules. */
export function createHandlers({ io, inquiries, inbox, marker, readNotice, exceptSocket }: EventParts): Handlers {
  const { database } = inquiries;
  const mayDraft = createDraftPace();

  const marked = async (device: DeviceCaller, body: unknown, kind: Mark['kind']): Promise<Mark> => {
    const { inquiryId } = parseOrRefuse(LiveMark, body);
    await refuseForeign(database, inquiryId, { personId: device.person.id });
    return { inquiryId, deviceId: device.id, kind, at: database.clock.now() };
  };

  const noted =
    (kind: Mark['kind']): Handlers['shown'] =>
    async (_socket, device, body) => {
      marker.add(await marked(device, body, kind));
      return { ok: true };
    };

  return {
    async answer(socket, device, body, arrivedAt) {
      refuseStrangeAnswer(body);
      const { inquiryId, ...answer } = parseOrRefuse(LiveAnswer, body);
      const name = exceptSocketKey(socket.id, inquiryId);
      try {
        const answerer = toAnswerer(device, 'live', socket.id);
        const reply = await answerInquiry(inquiries, answerer, inquiryId, answer, arrivedAt);
        const version = exceptSocket.get(name);
        return version === undefined ? reply : { ...reply, version };
      } finally {
        exceptSocket.delete(name);
      }
    },
    shown: noted('shown'),
    opened: noted('opened'),
    async dismissed(_socket, device, body) {
      // Written before it is acknowledged: the next snapshot must know it.
      await mark(database, [await marked(device, body, 'dismissed')]);
      return { ok: true };
    },
    async draft(socket, device, body) {
      const { inquiryId, answer } = parseOrRefuse(LiveDraft, body);
      if (!mayDraft(device.id, inquiryId, performance.now())) return { ok: true };
      const { personIds, at } = await saveDraft(inquiries, toAnswerer(device, 'live', socket.id), inquiryId, answer);
      const { id, name, person } = device;
      const who = { inquiryId, device: { id, name }, handle: person.handle, at: iso(at) };
      for (const personId of personIds) {
        // To others of the group only that somebody is answering, not the words.
        const draft = personId === person.id ? { ...who, answer } : who;
        io.to(personRoom(personId)).except(socket.id).emit('draft', draft);
      }
      return { ok: true };
    },
    async extend(socket, device, body) {
      const { inquiryId, seconds } = parseOrRefuse(LiveExtend, body);
      return extendInquiry(inquiries, toAnswerer(device, 'live', socket.id), inquiryId, seconds);
    },
    async sync(socket, _device, body) {
      parseOrRefuse(z.object({}), body);
      return { version: await catchUp(socket, inbox) };
    },
    async notice_read(_socket, device, body) {
      const { noticeId } = parseOrRefuse(LiveNoticeRead, body);
      await readNotice(device.person.id, noticeId);
      return { ok: true };
    },
  };
}

/** Lets through at most 2 drafts a second of each device and inquiry; it holds only those of the last half second. */
function createDraftPace(): (deviceId: string, inquiryId: string, now: number) => boolean {
  const last = new Map<string, number>();
  return (deviceId, inquiryId, now) => {
    for (const [name, at] of last) {
      if (now - at < MS_BETWEEN_DRAFTS) break;
      last.delete(name);
    }
    const name = `${deviceId} ${inquiryId}`;
    if (last.has(name)) return false;
    last.set(name, now);
    return true;
  };
}
