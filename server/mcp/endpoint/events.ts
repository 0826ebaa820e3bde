import type { ServerResponse } from 'node:http';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';
import { collectedBy } from './result.ts';

/** Frames a stream keeps: what came before them is progress that nobody misses. */
const FRAMES = 16;
const STREAMS = 64;

type Kept = { number: number; message: JSONRPCMessage };
type Stream = Connection & { last: number; kept: Kept[]; answered: boolean };

/** The response that the code running now was called for, and the stream that this response began. */
export type Connection = {
  reply: ServerResponse | undefined;
  name: string;
  /** The number of the last event that another process sent on it. */
  from?: number | undefined;
};
export const connection = new AsyncLocalStorage<Connection>();

/** What a session hears of its streams: `inquiryId` where the result that was written in full holds a resolution. */
type Written = (stream: string, inquiryId: string | undefined) => void;

/**
 * The last frames of each stream of one session, so that a client that lost its connection gets what it missed
 * (`Last-Event-ID`). It knows through which response a stream goes now, and calls `written` when the one that carried
 * its result was written in full.
 */
export function createEventStore(written: Written) {
  const streams = new Map<string, Stream>();

  function streamOf(id: string): Stream {
    const known = streams.get(id);
    if (known) return known;
    const { reply, name, from = 0 } = connection.getStore() ?? { reply: undefined, name: id };
    const stream: Stream = { last: from, kept: [], answered: false, reply, name };
    streams.set(id, stream);
    // What still waits is kept, however many calls came and went since.
    const [oldest] = [...streams].find(([, { answered }]) => answered) ?? [];
    if (streams.size > STREAMS && oldest !== undefined) streams.delete(oldest);
    return stream;
  }

  function noteWritten({ reply, name }: Stream, message: JSONRPCMessage): void {
    if (!isAnswer(message)) return;
    const inquiryId = 'result' in message ? collectedBy(message.result) : undefined;
    reply?.once('finish', () => written(name, inquiryId));
  }

  const idOf = (eventId: string): string | undefined => {
    const { stream } = readEventId(eventId);
    return [...streams].find(([, { name }]) => name === stream)?.[0];
  };
  return {
    async storeEvent(id, message) {
      const stream = streamOf(id);
      stream.last += 1;
      stream.kept.push({ number: stream.last, message });
      if (stream.kept.length > FRAMES) stream.kept.shift();
      stream.answered ||= isAnswer(message);
      noteWritten(stream, message);
      return `${stream.name}.${stream.last}`;
    },
    getStreamIdForEventId: async (eventId) => idOf(eventId),
    async replayEventsAfter(lastEventId, { send }) {
      const { number } = readEventId(lastEventId);
      const id = idOf(lastEventId) ?? '';
      const stream = streamOf(id);
      stream.reply = connection.getStore()?.reply;
      for (const event of stream.kept.filter((one) => one.number > number && isMessage(one.message))) {
        noteWritten(stream, event.message);
        await send(`${stream.name}.${event.number}`, event.message);
      }
      return id;
    },
  } satisfies EventStore;
}

/** The stream that an event id names, and the number of the event in it. */
export function readEventId(eventId: string): { stream: string; number: number } {
  const at = eventId.lastIndexOf('.');
  return { stream: eventId.slice(0, at), number: Number(eventId.slice(at + 1)) };
}

function isAnswer(message: JSONRPCMessage): boolean {
  return 'result' in message || 'error' in message;
}

// The first frame of a stream only tells its id and holds no message.
function isMessage(message: JSONRPCMessage): boolean {
  return Object.keys(message).length > 0;
}
