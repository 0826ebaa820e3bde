import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import { buffer } from 'node:stream/consumers';
import type { Certificate } from './certificate.ts';
import { Mailbox, type Message } from './mailbox.ts';
import { type Refusal, refuseVapid } from './vapid.ts';

const MOST_BYTES = 4096;

/** The side of all push services that senders see: `POST` to an endpoint (RFC 8030), for whichever host it is asked as. */
export type PostOffice = {
  port: number;
  /** By the endpoint's last part. */
  mailboxes: Map<string, Mailbox>;
  /** Why requests were refused, oldest first. */
  refused: string[];
  /** What was accepted with this Topic, for whomever. */
  acceptedFor(topic: string): Message[];
  open(key: string, deliver: (message: Message) => void): Mailbox;
  close(): Promise<void>;
};

export async function startPostOffice({ key, cert }: Certificate): Promise<PostOffice> {
  const mailboxes = new Map<string, Mailbox>();
  const refused: string[] = [];
  const server = createServer({ key, cert }, (request, response) => {
    void receive(request, mailboxes).then(
      (refusal) => {
        if (refusal) refused.push(`${refusal.status} ${refusal.why}`);
        response.writeHead(refusal?.status ?? 201, refusal ? {} : { location: `/m/${Date.now()}` });
        response.end(refusal?.why);
      },
      () => response.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as { port: number }).port,
    mailboxes,
    refused,
    acceptedFor: (topic) =>
      [...mailboxes.values()].flatMap(({ accepted }) => accepted.filter((message) => message.topic === topic)),
    open(publicKey, deliver) {
      const mailbox = new Mailbox(publicKey, deliver);
      mailboxes.set(mailbox.token, mailbox);
      return mailbox;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function receive(request: IncomingMessage, mailboxes: Map<string, Mailbox>): Promise<Refusal> {
  const body = await buffer(request);
  const { headers } = request;
  const [ttl, topic, urgency] = ['ttl', 'topic', 'urgency'].map((name) => headers[name]?.toString());
  const { authorization = '', host = '' } = headers;
  const mailbox = mailboxes.get(request.url?.split('/').pop() ?? '');
  if (request.method !== 'POST') return { status: 405, why: 'not a POST' };
  if (!mailbox) return { status: 410, why: 'the subscription is gone' };
  const refusal = await refuseVapid(authorization, `https://${host}`, mailbox.key);
  if (refusal) return refusal;
  if (!/^\d+$/.test(ttl ?? '')) return { status: 400, why: 'no TTL' };
  if (topic !== undefined && !/^[\w-]{1,32}$/.test(topic)) return { status: 400, why: 'bad Topic' };
  if (urgency !== undefined && !/^(very-low|low|normal|high)$/.test(urgency)) {
    return { status: 400, why: 'bad Urgency' };
  }
  if (body.length > MOST_BYTES) return { status: 413, why: 'too long' };
  if (headers['content-encoding'] !== 'aes128gcm') return { status: 400, why: 'bad Content-Encoding' };
  mailbox.put({ topic, urgency, ttlSeconds: Number(ttl), body });
  return undefined;
}
