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
  const apps = new Map<string, App>();
  let line: Line | undefined;
  let cut = false;

  const hear = (tag: number, message: Buffer): void => {
    if (tag === HEARTBEAT_PING) line?.send(HEARTBEAT_ACK, Buffer.alloc(0));
    if (tag !== LOGIN_REQUEST) return;
    const fields = readTexts(message);
    line?.send(
      LOGIN_RESPONSE,
      Buffer.concat([bytes(1, fields.get(1)?.[0] ?? ''), integer(5, 1), integer(8, Date.now())]),
    );
    for (const { mailbox } of apps.values()) {
      for (const id of fields.get(10) ?? []) mailbox.take(id);
      mailbox.resume();
    }
  };

  const register = (form: URLSearchParams): string => {
    const subtype = form.get('X-subtype') ?? '';
    const earlier = apps.get(subtype);
    if (earlier) office.mailboxes.delete(earlier.mailbox.token);
    apps.delete(subtype);
    if (form.get('delete') === 'true') return subtype;
    const sender = form.get('sender') ?? '';
    const mailbox = office.open(sender, (message) => line?.send(DATA_MESSAGE, stanza(app, message, line.next)));
    const app: App = { name: form.get('app') ?? '', subtype, sender, mailbox };
    apps.set(subtype, app);
    return mailbox.token;
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    if (request.url === '/checkin') {
      const reply = [integer(1, 1), integer(3, Date.now()), fixed64(7, 5_000_000_000_000_000_001n), fixed64(8, 777n)];
      response.setHeader('content-type', 'application/x-protobuf').end(Buffer.concat(reply));
    } else response.end(`token=${register(new URLSearchParams(body))}`);
  };
  const http = createServer((request, response) => void serve(request, response).catch(() => response.destroy()));
  const mcs = createTlsServer({ key: certificate.key, cert: certificate.cert }, (socket) => {
    if (cut) {
      socket.destroy();
      return;
    }
    const opened = new Line(socket, hear);
    line = opened;
    socket.on('close', () => {
      if (line === opened) line = undefined;
    });
  });
  http.listen(0, '127.0.0.1');
  mcs.listen(0, '127.0.0.1');
  await Promise.all([once(http, 'listening'), once(mcs, 'listening')]);
  const [httpPort, mcsPort] = [http, mcs].map((server) => (server.address() as { port: number }).port);
  const hangUp = () => {
    line?.cut();
    line = undefined;
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
