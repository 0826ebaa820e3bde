import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { LIVE_PROTOCOL } from '#shared/live.ts';

/** As the page does: see `web/live/socket.ts`. */
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 5_000;

type Event =
  | ['snapshot', { version: number; inquiries: { id: string }[] }]
  | ['inquiry', { version: number; inquiry: { id: string } }]
  | ['withdraw', { version: number; inquiryId: string }];

type At = { host: string; port: number; localAddress: string };

/** A device's live line with no more to it than a snapshot and deltas: very many of them must leave the hub a core. */
export class Line {
  /** What this device shows. */
  readonly open = new Set<string>();
  readonly #at: At;
  readonly #token: string;
  readonly #told: (event: Event[0]) => void;
  #socket: Socket | undefined;
  #retry: NodeJS.Timeout | undefined;
  #rest: Buffer = Buffer.alloc(0);
  #version = -1;
  #tries = 0;
  #upgraded = false;
  #back = () => {};

  constructor(at: At, token: string, told: (event: Event[0]) => void) {
    this.#at = at;
    this.#token = token;
    this.#told = told;
  }

  connect(): void {
    this.#rest = Buffer.alloc(0);
    this.#upgraded = false;
    this.#version = -1;
    const socket = connect({ ...this.#at, noDelay: true });
    this.#socket = socket;
    const key = randomBytes(16).toString('base64');
    socket.write(
      `GET /live/?EIO=4&transport=websocket HTTP/1.1\r\nHost: ${this.#at.host}:${this.#at.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
    );
    socket.on('data', (bytes) => this.#read(bytes));
    socket.on('error', () => {});
    socket.on('close', () => this.#socket === socket && this.#again());
  }

  /** Resolves with the next snapshot. */
  back(): Promise<void> {
    return new Promise((resolve) => (this.#back = resolve));
  }

  /** Cuts the line without a word; it comes back by itself. */
  cut(): void {
    this.#socket?.resetAndDestroy();
  }

  end(): void {
    clearTimeout(this.#retry);
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.destroy();
  }

  #again(): void {
    const delay = Math.min(FIRST_DELAY_MS * 2 ** this.#tries++, LONGEST_DELAY_MS);
    this.#retry = setTimeout(() => this.connect(), delay * (0.5 + Math.random()));
  }

  #read(bytes: Buffer): void {
    let data = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    if (!this.#upgraded) {
      const end = data.indexOf('\r\n\r\n');
      if (end < 0) return void (this.#rest = data);
      if (!data.toString('latin1', 0, 12).endsWith('101')) return this.cut();
      this.#upgraded = true;
      data = data.subarray(end + 4);
    }
    for (let frame = frameIn(data); frame; frame = frameIn(data)) {
      data = data.subarray(frame.end);
      this.#packet(frame.text);
    }
    this.#rest = Buffer.from(data);
  }

  #packet(text: string): void {
    if (text.startsWith('0')) this.#send(`40${JSON.stringify({ protocol: LIVE_PROTOCOL, token: this.#token })}`);
    else if (text === '2') this.#send('3');
    else if (text.startsWith('42')) this.#hear(JSON.parse(text.slice(2)) as Event);
    else if (text.startsWith('41') || text.startsWith('44')) this.cut();
  }

  #hear([name, body]: Event): void {
    if (name === 'snapshot') {
      this.#tries = 0;
      this.#back();
      this.open.clear();
      for (const { id } of body.inquiries) this.open.add(id);
    } else if (name === 'inquiry' && body.version > this.#version) this.open.add(body.inquiry.id);
    else if (name === 'withdraw' && body.version > this.#version) this.open.delete(body.inquiryId);
    else return;
    this.#version = body.version;
    this.#told(name);
  }

  #send(text: string): void {
    const payload = Buffer.from(text);
    const head =
      payload.length < 126
        ? Buffer.from([0x81, 0x80 | payload.length, 0, 0, 0, 0])
        : Buffer.from([0x81, 0x80 | 126, payload.length >> 8, payload.length & 255, 0, 0, 0, 0]);
    this.#socket?.write(Buffer.concat([head, payload]));
  }
}

/** The first whole frame from a server (RFC 6455: never masked; the hub's are never split). */
function frameIn(data: Buffer): { text: string; end: number } | undefined {
  if (data.length < 2) return undefined;
  const short = data[1]! & 127;
  const from = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (data.length < from) return undefined;
  const length = short < 126 ? short : short === 126 ? data.readUInt16BE(2) : Number(data.readBigUInt64BE(2));
  const end = from + length;
  return data.length < end ? undefined : { text: data.toString('utf8', from, end), end };
}
