import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { createServer as createTlsServer } from 'node:tls';
import type { Certificate } from './certificate.ts';
import type { Mailbox, Message } from './mailbox.ts';
import { DATA_MESSAGE, HEARTBEAT_ACK, HEARTBEAT_PING, Line, LOGIN_REQUEST, LOGIN_RESPONSE } from './mcs.ts';
import type { PostOffice } from './post-office.ts';
import { bytes, fixed64, integer, readTexts } from './protobuf.ts';

/** The hosts that Chromium's endpoints name: unbranded builds, and Chrome. */
export const GOOGLE_HOSTS = ['jmt17.google.com', 'fcm.googleapis.com'];

// The field of a login that lists what came before.
const RECEIVED = 10;

type App = { name: string; subtype: string; sender: string; mailbox: Mailbox };

/**
 * Google's push service as one Chromium sees it: checkin, registration and the lasting connection (MCS), with the
 * messages and fields of Chromium's google_apis/gcm/protocol.
 */
export type Gcm = {
  /** What makes a Chromium use it. */
  flags: string[];
  /** Cuts the line and keeps it cut until `connect`. */
  disconnect(): void;
  connect(): void;
  close(): Promise<void>;
};

export async function startGcm(office: PostOffice, certificate: Certificate): Promise<Gcm> {
  const talk = new Conversation(office);
  let cut = false;
  const http = createServer((request, response) => void talk.serve(request, response).catch(() => response.destroy()));
  const mcs = createTlsServer({ key: certificate.key, cert: certificate.cert }, (socket) => {
    if (cut) {
      socket.destroy();
      return;
    }
    const line = new Line(socket, (kind, message) => talk.hear(kind, message));
    talk.line = line;
    socket.on('close', () => {
      if (talk.line === line) talk.line = undefined;
    });
  });
  http.listen(0, '127.0.0.1');
  mcs.listen(0, '127.0.0.1');
  await Promise.all([once(http, 'listening'), once(mcs, 'listening')]);
  const [httpPort, mcsPort] = [http, mcs].map((server) => (server.address() as { port: number }).port);
  const hangUp = () => {
    talk.line?.cut();
    talk.line = undefined;
  };
  return {
    flags: [
      `--gcm-checkin-url=http://127.0.0.1:${httpPort}/checkin`,
      `--gcm-registration-url=http://127.0.0.1:${httpPort}/register`,
      `--gcm-mcs-endpoint=https://127.0.0.1:${mcsPort}`,
      `--ignore-certificate-errors-spki-list=${certificate.fingerprint}`,
    ],
    disconnect() {
      cut = true;
      hangUp();
    },
    connect() {
      cut = false;
    },
    async close() {
      hangUp();
      http.close();
      http.closeAllConnections();
      mcs.close();
      await Promise.all([once(http, 'close'), once(mcs, 'close')]);
    },
  };
}

class Conversation {
  line: Line | undefined;
  readonly #office: PostOffice;
  /** By what makes two subscriptions of one browser different. */
  readonly #apps = new Map<string, App>();

  constructor(office: PostOffice) {
    this.#office = office;
  }

  /** Checkin and registration. */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    if (request.url !== '/checkin') {
      response.end(`token=${this.#register(new URLSearchParams(body))}`);
      return;
    }
    const who = [fixed64(7, 5_000_000_000_000_000_001n), fixed64(8, 777n)];
    response.setHeader('content-type', 'application/x-protobuf');
    response.end(Buffer.concat([integer(1, 1), integer(3, Date.now()), ...who]));
  }

  hear(kind: number, message: Buffer): void {
    if (kind === HEARTBEAT_PING) this.line?.send(HEARTBEAT_ACK, Buffer.alloc(0));
    if (kind !== LOGIN_REQUEST) return;
    const fields = readTexts(message);
    const login = [bytes(1, fields.get(1)?.[0] ?? ''), integer(5, 1), integer(8, Date.now())];
    this.line?.send(LOGIN_RESPONSE, Buffer.concat(login));
    for (const { mailbox } of this.#apps.values()) {
      for (const id of fields.get(RECEIVED) ?? []) mailbox.take(id);
      mailbox.resume();
    }
  }

  #register(form: URLSearchParams): string {
    const subtype = form.get('X-subtype') ?? '';
    this.#office.mailboxes.delete(this.#apps.get(subtype)?.mailbox.token ?? '');
    this.#apps.delete(subtype);
    if (form.get('delete') === 'true') return subtype;
    const sender = form.get('sender') ?? '';
    const mailbox = this.#office.open(sender, (message) =>
      this.line?.send(DATA_MESSAGE, stanza(app, message, this.line.next)),
    );
    const app: App = { name: form.get('app') ?? '', subtype, sender, mailbox };
    this.#apps.set(subtype, app);
    return mailbox.token;
  }
}

// DataMessageStanza of mcs.proto.
function stanza({ name, subtype, sender }: App, { id, topic, ttlSeconds, body }: Message, streamId: number): Buffer {
  const appData = (key: string, value: string) => bytes(7, Buffer.concat([bytes(1, key), bytes(2, value)]));
  return Buffer.concat([
    bytes(3, sender),
    bytes(5, name),
    ...(topic === undefined ? [] : [bytes(6, topic)]),
    appData('subtype', subtype),
    appData('content-encoding', 'aes128gcm'),
    bytes(9, id),
    integer(10, streamId),
    integer(17, ttlSeconds),
    integer(18, Date.now()),
    bytes(21, body),
  ]);
}
