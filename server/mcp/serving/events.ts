import type { ServerResponse } from 'node:http';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';
import { collectedBy } from '../result.ts';

/** Frames a stream keeps: what came before them is progress that nobody misses. */
const FRAMES = 16;
const STREAMS = 64;

type Kept = { number: number; message: JSONRPCMessage };
type Stream = { last: number; kept: Kept[]; answered: boolean; reply?: ServerResponse | undefined };

/** The response that the code running now was called for. */
export const currentReply = new AsyncLocalStorage<ServerResponse>();

/**
 * The last frames of each stream of one session, so that a client that lost its connection gets what it missed
 * (`Last-Event-ID`). It knows through which response a stream goes now, and calls `collected` when one that carried a
 * resolution was written in full.
 */
export function createEventStore(collected: (inquiryId: string) => void): EventStore {
  const streams = new Map<string, Stream>();

  function streamOf(streamId: string): Stream {
    const known = streams.get(streamId);
    if (known) return known;
    const stream: Stream = { last: 0, kept: [], answered: false, reply: currentReply.getStore() };
    streams.set(streamId, stream);
    // What still waits is kept, however many calls came and went since.
    const [oldest] = [...streams].find(([, { answered }]) => answered) ?? [];
    if (streams.size > STREAMS && oldest !== undefined) streams.delete(oldest);
    return stream;
  }

  function collectWith(reply: ServerResponse | undefined, message: JSONRPCMessage): void {
    const inquiryId = 'result' in message ? collectedBy(message.result) : undefined;
    if (inquiryId !== undefined) reply?.once('finish', () => collected(inquiryId));
  }

  return {
    async storeEvent(streamId, message) {
      const stream = streamOf(streamId);
      stream.last += 1;
      stream.kept.push({ number: stream.last, message });
      if (stream.kept.length > FRAMES) stream.kept.shift();
      stream.answered ||= 'result' in message || 'error' in message;
      collectWith(stream.reply, message);
      return `${streamId}.${stream.last}`;
    },
    async getStreamIdForEventId(eventId) {
      const streamId = eventId.slice(0, eventId.lastIndexOf('.'));
      return streams.has(streamId) ? streamId : undefined;
    },
    async replayEventsAfter(lastEventId, { send }) {
      const at = lastEventId.lastIndexOf('.');
      const [streamId, number] = [lastEventId.slice(0, at), Number(lastEventId.slice(at + 1))];
      const stream = streamOf(streamId);
      stream.reply = currentReply.getStore();
      for (const event of stream.kept.filter((one) => one.number > number && isMessage(one.message))) {
        collectWith(stream.reply, event.message);
        await send(`${streamId}.${event.number}`, event.message);
      }
      return streamId;
    },
  };
}

// The first frame of a stream only tells its id and holds no message.
function isMessage(message: JSONRPCMessage): boolean {
  return Object.keys(message).length > 0;
}
