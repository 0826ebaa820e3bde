import { once } from 'node:events';
import { type WebSocket, WebSocketServer } from 'ws';
import { randomUUID } from 'node:crypto';
import type { Mailbox, Message } from './mailbox.ts';
import type { PostOffice } from './post-office.ts';

/** The host of Mozilla's push service. */
export const MOZILLA_HOST = 'updates.push.services.mozilla.com';

type FromFirefox =
  | { messageType: 'hello'; uaid?: string }
  | { messageType: 'register'; channelID: string; key: string }
  | { messageType: 'unregister'; channelID: string; code?: number }
  | { messageType: 'ack'; updates: { version: string; code?: number }[] }
  | { messageType: 'nack'; version: string; code?: number }
  | { messageType?: 'ping' | 'broadcast_subscribe' };
type Channel = { id: string; mailbox: Mailbox };

/** Mozilla's push service as one Firefox sees it: autopush's WebSocket protocol, as PushServiceWebSocket.sys.mjs speaks it. */
export type Autopush = {
  /** For the preference `dom.push.serverURL`. */
  url: string;
  /** What Firefox unregistered: why, by its codes (201: it spent its quota). */
  unregistered: (number | undefined)[];
  /** What Firefox could not make use of, by its codes. */
  nacks: (number | undefined)[];
  /** Cuts the line and keeps it cut until `connect`. */
  disconnect(): void;
  connect(): void;
  close(): Promise<void>;
};

export async function startAutopush(office: PostOffice): Promise<Autopush> {
  const channels = new Map<string, Channel>();
  const unregistered: Autopush['unregistered'] = [];
  const nacks: Autopush['nacks'] = [];
  const knownAs = randomUUID().replaceAll('-', '');
  let line: WebSocket | undefined;
  let cut = false;
  const say = (words: object) => line?.send(JSON.stringify(words));
  const deliver = (channelID: string, { id: version, ttlSeconds: ttl, body }: Message) =>
    say({
      messageType: 'notification',
      channelID,
      version,
      ttl,
      data: body.toString('base64url'),
      headers: { encoding: 'aes128gcm' },
    });
  const taken = (version: string) => channels.forEach(({ mailbox }) => mailbox.take(version));

  const hear = (said: FromFirefox): void => {
    switch (said.messageType) {
      case 'hello':
        say({ messageType: 'hello', status: 200, uaid: knownAs, use_webpush: true, broadcasts: {} });
        return channels.forEach(({ mailbox }) => mailbox.resume());
      case 'register': {
        const { channelID } = said;
        const mailbox = office.open(said.key, (message) => deliver(channelID, message));
        channels.set(channelID, { id: channelID, mailbox });
        const pushEndpoint = `https://${MOZILLA_HOST}/wpush/v2/${mailbox.token}`;
        return say({ messageType: 'register', status: 200, channelID, pushEndpoint });
      }
      case 'unregister':
        unregistered.push(said.code);
        office.mailboxes.delete(channels.get(said.channelID)?.mailbox.token ?? '');
        channels.delete(said.channelID);
        return say({ messageType: 'unregister', status: 200, channelID: said.channelID });
      case 'ack':
        return said.updates.forEach(({ version }) => taken(version));
      case 'nack':
        nacks.push(said.code);
        return taken(said.version);
      default:
        line?.send('{}');
    }
  };

  const server = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    verifyClient: () => !cut,
    handleProtocols: () => 'push-notification',
  });
  server.on('connection', (socket) => {
    line = socket;
    socket.on('error', () => {});
    socket.on('message', (data) => hear(JSON.parse(String(data)) as FromFirefox));
    socket.on('close', () => {
      if (line === socket) line = undefined;
    });
  });
  await once(server, 'listening');
  const hangUp = () => server.clients.forEach((socket) => socket.terminate());
  return {
    url: `ws://127.0.0.1:${(server.address() as { port: number }).port}/`,
    unregistered,
    nacks,
    disconnect() {
      cut = true;
      line = undefined;
      hangUp();
    },
    connect() {
      cut = false;
    },
    async close() {
      hangUp();
      server.close();
      await once(server, 'close');
    },
  };
}
