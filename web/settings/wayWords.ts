const en = {
  head: 'When I answer',
  sentence: [
    'Show ',
    ', set ',
    ', open documents ',
    ', and when I have answered ',
    '. An answer other than a plain approval ',
    '.',
  ],
  from: (source: string) => `From ${source}`,
  names: { questions: 'Questions', density: 'Spacing', editor: 'Documents', confirm: 'Sending', undoSeconds: 'Undo' },
  namesOf: (source: string, name: string) => `${name}, from ${source}`,
  questions: { one: 'one question at a time', all: 'all questions at once', '': 'questions as everywhere' },
  density: { roomy: 'roomy', compact: 'compact', '': 'as everywhere' },
  editor: { rich: 'as a page', plain: 'as plain text', '': 'as everywhere' },
  confirm: { no: 'send it at once', yes: 'ask me again', '': 'do as everywhere' },
  seconds: (count: number) =>
    count === 0 ? 'is sent at once' : `can be undone for ${count} ${count === 1 ? 'second' : 'seconds'}`,
  asEverywhere: 'does as everywhere',
  say: 'This holds on all your devices.',
  other: 'A different setting for',
  which: 'Which source?',
  choose: 'choose a source',
  back: 'As everywhere',
  backOf: (source: string) => `As everywhere for ${source}`,
};

const zh: typeof en = {
  head: '答复方式',
  sentence: ['一次显示', '，间距', '，文档', '打开，答复后', '。除直接批准外，答复后', '。'],
  from: (source) => `来自 ${source} 的`,
  names: { questions: '问题', density: '间距', editor: '文档', confirm: '发送', undoSeconds: '撤销' },
  namesOf: (source, name) => `来自 ${source} 的${name}`,
  questions: { one: '一个问题', all: '全部问题', '': '照常的问题' },
  density: { roomy: '宽松', compact: '紧凑', '': '照常' },
  editor: { rich: '按页面', plain: '按纯文本', '': '照常' },
  confirm: { no: '直接发送', yes: '先确认再发送', '': '照常' },
  seconds: (count) => (count === 0 ? '立即发送' : `${count} 秒内可以撤销`),
  asEverywhere: '照常',
  say: '对你的所有设备有效。',
  other: '单独设置某个来源',
  which: '哪个来源？',
  choose: '选一个来源',
  back: '照常',
  backOf: (source) => `${source} 也照常`,
};

export const wayWords = { en, zh };
