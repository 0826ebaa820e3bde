import { say } from '../../ui/language.ts';

const en = {
  tooMuch: 'This approves everything: say from whom, which command or which tool.',
  otherName: 'A rule of this name answers one question only. Give a rule for others another name.',
  tooWide: (text: string, program?: string, subcommands?: string) =>
    subcommands === undefined
      ? `${text} is too wide: it can run what its words say. Write every word instead of *.`
      : `${text} is too wide: ${program} passes the rest to a program. After ${program}, * works with ${subcommands}.`,
  oneCommand: (text: string) => `${text} is more than one command: write each on a line of its own.`,
  noCommand: (text: string) =>
    `${text} is no command that a rule can name: a program and its words, plain or in quotes.`,
  toCorrect: (count: number) => `${count} to correct`,
  changesNothing: 'Changes nothing:',
  stillAsks: (looked: number) => `every one of the last ${looked} would still ask you.`,
  nearMisses: (count: number) => `Near misses: ${count}, see above.`,
  differOnly: (count: number, looked: number, option: string | undefined) =>
    `${count} of your last ${looked} differ only in ${option ?? 'one word'}.`,
  coversThem: (count: number) => `You approved all ${count}. This covers them:`,
  useThis: 'Use this',
  showThe: (count: number) => `Show the ${count}`,
  draftSaved: (time: string) => `Draft saved ${time}`,
};

const zh: typeof en = {
  tooMuch: '这会批准一切：请写明来源、命令或工具。',
  otherName: '这个名称的规则只回答一个问题。回答其他问题的规则请另取名称。',
  tooWide: (text, program, subcommands) =>
    subcommands === undefined
      ? `${text} 范围过宽：后面的词可能被当作程序运行。请写出每个词，不要用 *。`
      : `${text} 范围过宽：${program} 会把后面的词交给程序。${program} 之后，* 可用于 ${subcommands}。`,
  oneCommand: (text) => `${text} 不止一条命令，请每行写一条。`,
  noCommand: (text) => `${text} 不是规则能写的命令：写程序和它的词，直接写或加引号。`,
  toCorrect: (count) => `${count} 处需更正`,
  changesNothing: '没有任何变化：',
  stillAsks: (looked) => `最近 ${looked} 次都会照常问你。`,
  nearMisses: (count) => `差一点的：${count} 个，见上。`,
  differOnly: (count, looked, option) => `最近 ${looked} 个里有 ${count} 个仅 ${option ?? '一个词'} 不同。`,
  coversThem: (count) => `${count} 次你都批准了。这样可全部包含：`,
  useThis: '采用',
  showThe: (count) => `显示这 ${count} 个`,
  draftSaved: (time) => `${time} 已存草稿`,
};

/** The words of what a rule is told while it is written, in the page's language. */
export function checkWords() {
  return say({ en, zh });
}
