import { say } from '../../ui/language.ts';

const en = {
  way: (source: string) => `How letters from ${source} look`,
  confirm: {
    send: (source: string) => `Send this to ${source}?`,
    decline: (source: string) => `Decline, and tell ${source} so?`,
    noWords: 'Without words.',
    back: 'Not yet',
    doSend: 'Send it',
    doDecline: 'Decline',
  },
  before: {
    ps: 'P.S. ',
    colon: ': ',
    without: 'without words',
    last: (same: boolean, declined: boolean, when: string, device: string) =>
      `${same ? 'You were asked exactly this before' : 'You were asked the like before'}${declined ? ' and declined' : ''} (${when}, on ${device})`,
    run: 'Before, in this run',
    thread: 'Before, in this thread',
    waits: 'still waits',
    expired: 'nobody answered',
    withdrawn: 'taken back',
    declinedMark: 'declined',
  },
};

const zh: typeof en = {
  way: (source) => `${source} 的信怎样摆`,
  confirm: {
    send: (source) => `把这份答复发给 ${source}？`,
    decline: (source) => `不作答，并告诉 ${source}？`,
    noWords: '没有附言。',
    back: '先不发',
    doSend: '发出',
    doDecline: '不作答',
  },
  before: {
    ps: '附：',
    colon: '：',
    without: '没有附言',
    last: (same, declined, when, device) =>
      `${same ? '一字不差的事问过你' : '同类的事问过你'}${declined ? '，你没有作答' : ''}（${when}，用 ${device}）`,
    run: '这次运行里先前问过的',
    thread: '这个会话里先前问过的',
    waits: '还在等',
    expired: '没有人答',
    withdrawn: '收回了',
    declinedMark: '没有作答',
  },
};

/** The words of what stands around the question, in the page's language. */
export function sheetWords() {
  return say({ en, zh });
}
