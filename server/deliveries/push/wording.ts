import type { PushMessage } from '#shared/push.ts';

type Language = 'en' | 'zh';

const WORDS = {
  en: {
    waiting: (count: number) => (count === 1 ? 'One waits for you' : `${count} wait for you`),
    open: 'Open Beckon to read them.',
    none: 'Answered',
    test: 'This is a test',
    arrives: 'Notifications reach this device.',
  },
  zh: {
    waiting: (count: number) => `${count} 件事等你定`,
    open: '打开 Beckon 查看。',
    none: '已答复',
    test: '这是一次测试',
    arrives: '通知可以到达这台设备。',
  },
};

/** Many open inquiries as one notification; with none left it is taken away. */
export function digestMessage(lang: Language, count: number, badge: number): PushMessage {
  const words = WORDS[lang];
  return count > 0
    ? { t: 'digest', title: words.waiting(count), body: words.open, lang, count, badge }
    : { t: 'withdraw', id: 'digest', title: words.none, body: '', lang, badge };
}

export function testMessage(lang: Language, id: string): PushMessage {
  return { t: 'test', id, title: WORDS[lang].test, body: WORDS[lang].arrives, lang };
}
