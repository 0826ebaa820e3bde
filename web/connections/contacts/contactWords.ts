import type { Check, Contact } from '#shared/connections/contact.ts';

type Troubles = Partial<Record<Check['code'], string>>;
type What = Contact['what'];

const en = {
  /** Empty: the hub's own sentences are English. */
  troubles: {} as Troubles,
  lastContacts: 'Last contacts',
  noContacts: 'No contact yet. It shows here when the platform calls, or the hub calls it.',
  time: 'Time',
  what: 'What',
  result: 'Result',
  earlier: 'Show earlier ones',
  ended: 'Ended',
  failed: 'Failed',
  fine: 'OK',
  none: {
    stream: 'No question',
    request: 'No question',
    check: 'Check',
    webhook: 'No question',
    thread: 'No question',
  } satisfies Record<What, string>,
  took: {
    stream: (time: string) => `Stream of ${time}.`,
    request: (time: string) => `Request, ${time}.`,
    check: (time: string) => `The hub called, ${time}.`,
    webhook: (time: string) => `The platform posted, ${time}.`,
    thread: (time: string) => `The hub read its threads, ${time}.`,
  } satisfies Record<What, (time: string) => string>,
  ownQuestion: 'A question of another source',
  outcome: {
    open: 'Waits for an answer.',
    answered: 'Answered.',
    declined: 'Declined.',
    expired: 'Nobody answered in time.',
    withdrawn: 'Withdrawn.',
  },
  answer: {
    pending: (attempts: number): string =>
      attempts === 0 ? 'The answer is being sent.' : 'The answer is tried again.',
    delivered: (attempts: number) =>
      attempts > 1 ? `The answer arrived at attempt ${attempts}.` : 'The answer arrived.',
    gone: () => 'The platform had another answer.',
    failed: (attempts: number) => `The answer did not arrive, after ${attempts} attempts.`,
  },
};

const zh: typeof en = {
  troubles: {
    'upstream.name_unknown': '找不到这个主机名，看看地址。',
    'upstream.refused': '平台拒绝连接，看看它是否在运行。',
    'upstream.timeout': '平台没有及时回应。',
    'upstream.certificate': '平台的证书无效。',
    'upstream.no_tls': '平台不接受 TLS，看看 https 和端口。',
    'upstream.unreachable': '连不上平台。',
    'upstream.broke_off': '平台中断了连接。',
    'upstream.redirect': '平台要求跳转，服务端不跟随：请填跳转后的地址。',
    'upstream.key_refused': '平台有回应，但拒绝服务端的密钥。',
    'upstream.no_api': '有回应，但不像这种平台：看看 API 从哪里开始，常常是 /v1。',
    'upstream.unreadable': '平台的回应服务端读不懂。',
    'upstream.status': '平台用错误状态码回应。',
    'inbound.refused': '服务端拒绝了平台发来的内容。',
    'thread.unaskable': '有线程在等服务端没法拿来问人的内容。如果是没有 responseSchema 的对象，在这里选它用什么答复。',
    'thread.unanswered': '有线程在等的问题没人答复，要由别的来让它继续。',
    'thread.no_room': '未答复的询问太多，有线程要等其中一些答复后才能问人。',
    'upstream.ok': '平台有回应，也接受服务端的密钥。',
    'upstream.ok_without_key': '平台有回应，服务端没有用密钥。',
    'upstream.nothing_to_call': '没有要访问的：由平台来访问服务端。',
  },
  lastContacts: '最近联系',
  noContacts: '还没有联系过。平台来访问，或服务端去访问平台，都会显示在这里。',
  time: '时间',
  what: '内容',
  result: '结果',
  earlier: '显示更早的',
  ended: '已中断',
  failed: '失败',
  fine: '好',
  none: { stream: '没有问题', request: '没有问题', check: '检查', webhook: '没有问题', thread: '没有问题' },
  took: {
    stream: (time) => `流持续 ${time}。`,
    request: (time) => `请求，${time}。`,
    check: (time) => `服务端访问平台，${time}。`,
    webhook: (time) => `平台发来，${time}。`,
    thread: (time) => `服务端读取线程，${time}。`,
  },
  ownQuestion: '另一来源的问题',
  outcome: {
    open: '等待答复。',
    answered: '已答复。',
    declined: '未回答。',
    expired: '无人及时答复。',
    withdrawn: '已撤回。',
  },
  answer: {
    pending: (attempts) => (attempts === 0 ? '正在发送答复。' : '答复将重试。'),
    delivered: (attempts) => (attempts > 1 ? `答复在第 ${attempts} 次送到。` : '答复已送到。'),
    gone: () => '平台已有别的答复。',
    failed: (attempts) => `试了 ${attempts} 次，答复没有送到。`,
  },
};

export const contactWords = { en, zh };
