import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Mailbox } from './mailbox.ts';
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
  const talk = new Conversation(office);
  let cut = false;
  const server = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    verifyClient: () => !cut,
    handleProtocols: () => 'push-notification',
  });
  server.on('connection', (socket) => {
    talk.line = socket;
    socket.on('error', () => {});
    socket.on('message', (data: Buffer) => talk.hear(JSON.parse(data.toString()) as FromFirefox));
    socket.on('close', () => {
      if (talk.line === socket) talk.line = undefined;
    });
  });
  await once(server, 'listening');
  const hangUp = () => {
    talk.line = undefined;
    for (const socket of server.clients) socket.terminate();
  };
  return {
    url: `ws://127.0.0.1:${(server.address() as { port: number }).port}/`,
    unregistered: talk.unregistered,
    nacks: talk.nacks,
    disconnect() {
      cut = true;
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

class Conversation {
  readonly unregistered: Autopush['unregistered'] = [];
  readonly nacks: Autopush['nacks'] = [];
  line: WebSocket | undefined;
  readonly #office: PostOffice;
  readonly #uaid = randomUUID().replaceAll('-', '');
  readonly #mailboxes = new Map<string, Mailbox>();

  constructor(office: PostOffice) {
    this.#office = office;
  }

  hear(said: FromFirefox): void {
    switch (said.messageType) {
      case 'hello':
        this.#say({ messageType: 'hello', status: 200, uaid: this.#uaid, use_webpush: true, broadcasts: {} });
        for (const mailbox of this.#mailboxes.values()) mailbox.resume();
        return;
      case 'register':
        return this.#register(said.channelID, said.key);
      case 'unregister':
        this.unregistered.push(said.code);
        this.#office.mailboxes.delete(this.#mailboxes.get(said.channelID)?.token ?? '');
        this.#mailboxes.delete(said.channelID);
        return this.#say({ messageType: 'unregister', status: 200, channelID: said.channelID });
      case 'ack':
        for (const { version } of said.updates) this.#taken(version);
        return;
      case 'nack':
        this.nacks.push(said.code);
        return this.#taken(said.version);
      case 'ping':
      case 'broadcast_subscribe':
      case undefined:
        return this.#say({});
    }
  }

  #register(channelID: string, key: string): void {
    const mailbox = this.#office.open(key, ({ id: version, ttlSeconds: ttl, body }) => {
      const [data, headers] = [body.toString('base64url'), { encoding: 'aes128gcm' }];
      this.#say({ messageType: 'notification', channelID, version, ttl, data, headers });
    });
    this.#mailboxes.set(channelID, mailbox);
    const pushEndpoint = `https://${MOZILLA_HOST}/wpush/v2/${mailbox.token}`;
    this.#say({ messageType: 'register', status: 200, channelID, pushEndpoint });
  }

  #taken(version: string): void {
    for (const mailbox of this.#mailboxes.values()) mailbox.take(version);
  }

  #say(words: object): void {
    this.line?.send(JSON.stringify(words));
  }
}
