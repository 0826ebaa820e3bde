import { randomBytes, randomUUID } from 'node:crypto';

/** A push message as its sender posted it. */
export type Message = {
  id: string;
  topic: string | undefined;
  urgency: string | undefined;
  ttlSeconds: number;
  body: Buffer;
  /** ms */
  at: number;
};

/** What a push service keeps for one subscription (RFC 8030): messages wait until they are taken, replaced or too old. */
export class Mailbox {
  readonly token = randomBytes(24).toString('base64url');
  /** The VAPID key that the browser subscribed with. */
  readonly key: string;
  /** All that was accepted, oldest first. */
  readonly accepted: Message[] = [];
  readonly #deliver: (message: Message) => void;
  #waiting: Message[] = [];

  constructor(key: string, deliver: (message: Message) => void) {
    this.key = key;
    this.#deliver = deliver;
  }

  /** Keeps a message in the place of an older one with the same Topic, and hands it to the browser if that is there. */
  put(posted: Omit<Message, 'id' | 'at'>): void {
    const message = { ...posted, id: randomUUID(), at: Date.now() };
    this.accepted.push(message);
    this.#waiting = this.#waiting.filter(({ topic }) => topic === undefined || topic !== message.topic);
    this.#waiting.push(message);
    this.#deliver(message);
  }

  /** The browser has it. */
  take(id: string): void {
    this.#waiting = this.#waiting.filter((message) => message.id !== id);
  }

  /** The browser is back: hands over what still waits. */
  resume(): void {
    const now = Date.now();
    this.#waiting = this.#waiting.filter(({ at, ttlSeconds }) => at + ttlSeconds * 1000 > now);
    for (const message of this.#waiting) this.#deliver(message);
  }
}
