import type { TLSSocket } from 'node:tls';
import { readVarint, varint } from './protobuf.ts';

// The kinds of message of Chromium's google_apis/gcm/base/mcs_util.h.
export const HEARTBEAT_PING = 0;
export const HEARTBEAT_ACK = 1;
export const LOGIN_REQUEST = 2;
export const LOGIN_RESPONSE = 3;
export const DATA_MESSAGE = 8;

const VERSION = 41;

/** One connection of Chromium to its push service: a version byte each way, then kind, length and message. */
export class Line {
  readonly #socket: TLSSocket;
  readonly #hear: (kind: number, message: Buffer) => void;
  #unread = Buffer.alloc(0);
  #begun = false;
  #greeted = false;
  #sent = 0;

  constructor(socket: TLSSocket, hear: (kind: number, message: Buffer) => void) {
    this.#socket = socket;
    this.#hear = hear;
    socket.on('error', () => {});
    socket.on('data', (chunk) => this.#read(chunk));
  }

  /** The number of the next message out; each side counts all it sends, the login included. */
  get next(): number {
    return this.#sent + 1;
  }

  send(kind: number, message: Buffer): void {
    const greeting = this.#greeted ? [] : [VERSION];
    this.#greeted = true;
    this.#sent++;
    this.#socket.write(Buffer.concat([Buffer.from([...greeting, kind]), varint(message.length), message]));
  }

  cut(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    this.#unread = Buffer.concat([this.#unread, chunk]);
    for (;;) {
      const kindAt = this.#begun ? 0 : 1;
      const length = readVarint(this.#unread, kindAt + 1);
      if (!length || this.#unread.length < length.end + length.value) return;
      const kind = this.#unread[kindAt] ?? 0;
      const message = this.#unread.subarray(length.end, length.end + length.value);
      this.#unread = this.#unread.subarray(length.end + length.value);
      this.#begun = true;
      this.#hear(kind, message);
    }
  }
}
