import type { Chance } from '../hub/chance.ts';
import type { Page } from '../hub/page.ts';
import { ANSWERS } from './bodies.ts';
import { spoil, TEXTS } from './nasty.ts';

const EVENTS = [
  'answer',
  'shown',
  'opened',
  'dismissed',
  'draft',
  'extend',
  'sync',
  'notice_read',
  '__proto__',
  'constructor',
  'toString',
  '',
  'snapshot',
  'answer ',
  '🙈',
];
/** Frames that socket.io-client would never write. */
const FRAMES = [
  '2',
  '2["answer"',
  '2[]',
  '2{}',
  '2[1]',
  '2["answer",{}]',
  '29999999999999999999["answer",{}]',
  '51-["answer",{"_placeholder":true,"num":0}]',
  '599999-["answer"]',
  '3["x"]',
  '31[1]',
  '4{"data":1}',
  '0{"token":1}',
  '0/other,{}',
  '1',
  '9',
  '',
  '2["disconnect"]',
  '2["connection"]',
  '2["error","x"]',
  '2["__proto__",{"a":1}]',
];

/** Sends one event that is wrong in some way; the acknowledgement, or nothing where none can come. */
export async function fuzzEvent(
  page: Page,
  ids: string[],
  chance: Chance,
): Promise<{ name: string; inquiryId: string | undefined; reply: Record<string, unknown> | undefined }> {
  const name = chance.of(EVENTS);
  const inquiryId = chance.below(4) ? chance.of(ids) : chance.of(TEXTS).slice(0, 500);
  const valid = {
    answer: { inquiryId, ...chance.of(ANSWERS) },
    draft: { inquiryId, answer: chance.of(ANSWERS) },
    extend: { inquiryId, seconds: 60 },
    notice_read: { noticeId: inquiryId },
  }[name] ?? { inquiryId };
  const body = payloadOf(valid, chance);
  if (chance.below(15) === 0) {
    page.socket.emit(name, body);
    return { name, inquiryId: undefined, reply: undefined };
  }
  const extra = chance.below(15) ? [] : [{ inquiryId }, 1];
  const reply = await page.send<Record<string, unknown>>(name, body, ...extra);
  return { name, inquiryId: (body as { inquiryId?: string } | null | undefined)?.inquiryId, reply };
}

/** Writes a frame no client writes; the hub may close the line. */
export function writeFrame(page: Page, chance: Chance): void {
  (page.socket.io.engine as unknown as { write(frame: string): void }).write(chance.of(FRAMES));
}

function payloadOf(valid: object, chance: Chance): unknown {
  switch (chance.below(8)) {
    case 0:
      return Buffer.from('binary');
    case 1:
      return { ...valid, answer: { text: 'x'.repeat(chance.of([65_000, 262_000, 262_200])) }, text: new Uint8Array(3) };
    case 2:
      return valid;
    case 3:
      return chance.of<unknown>([null, undefined, 1, 'text', [], [valid], Number.NaN, -0, true]);
    default:
      try {
        return JSON.parse(spoil(valid, chance));
      } catch {
        return valid;
      }
  }
}
