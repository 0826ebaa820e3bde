import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';

const EVENTS = 1_000;
const BYTES = 8 * 1024 * 1024;

type Kept = { id: string; streamId: string; message: JSONRPCMessage; bytes: number };

/** What a session last told its client, so that one that lost its connection gets what it missed (`Last-Event-ID`); the oldest is forgotten first. */
export function createEventStore(): EventStore {
  const kept: Kept[] = [];
  let size = 0;
  let count = 0;
  return {
    async storeEvent(streamId, message) {
      const id = `${streamId}.${++count}`;
      const bytes = JSON.stringify(message).length;
      kept.push({ id, streamId, message, bytes });
      size += bytes;
      while (kept.length > 1 && (kept.length > EVENTS || size > BYTES)) size -= kept.shift()?.bytes ?? 0;
      return id;
    },
    async getStreamIdForEventId(eventId) {
      return kept.find(({ id }) => id === eventId)?.streamId;
    },
    async replayEventsAfter(lastEventId, { send }) {
      const at = kept.findIndex(({ id }) => id === lastEventId);
      const streamId = lastEventId.slice(0, lastEventId.lastIndexOf('.'));
      for (const event of at < 0 ? [] : kept.slice(at + 1)) {
        // The first event of a stream only tells its id and holds no message.
        if (event.streamId === streamId && Object.keys(event.message).length > 0) await send(event.id, event.message);
      }
      return streamId;
    },
  };
}
