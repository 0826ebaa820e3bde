import type { SourceFile } from './tree.ts';

const HAN = /\p{Script=Han}/u;
const ENGLISH = /(^|\/)en\.ts$/;
const COMMENT = /^\s*(\/\*\*?|\*|\/\/).*$/gm;
const TEXT = /'((?:[^'\\\n]|\\.)+)'|"((?:[^"\\\n]|\\.)+)"|`((?:[^`\\]|\\.)+)`/g;
// A path of an import, a name in braces of a template, an id such as `let_in`.
const NO_WORDS = /^[.#/]|^\S*_\S*$/;

/** Words that a control once said in a picture, and the usual ones that took their place. */
export const OLD: [old: RegExp, usual: string][] = [
  // The reminders of quiet hours ring again.
  [/\b(rings?(?! again)|ringing|rang)\b|(?<!再次)响铃|试响/i, 'notifications, 通知'],
  [/\b(let|lets|letting) (it |them |him |her |another |a device )?in\b|\bknocks?\b|敲门|放进来/i, 'sign in, 登录'],
  [/\bput(s|ting)? away\b|收起/i, 'hide, dismiss or close; 隐藏、关闭'],
  [/(?<!-case )\bletters?\b|这封信|一封|哪封/i, 'question, 问题'],
  [/\bdoors?\b|一道门|闸门/i, 'gate, 审批网关'],
  [/\b(no|the) line to\b|\bhangs? up\b|挂断/i, 'offline, 离线'],
  [/\bunheard\b/i, 'no device was notified'],
  [/\bwrites? (back|to you|to me)\b/i, 'reply instead, 改为回复'],
  [/^(that is |that’s )?fine\.?$/i, 'OK, 好'],
  [/\bthe first until\b/i, 'next due, 最近到期'],
  [/\bnothing stands here\b/i, 'page not found, 找不到页面'],
  [/\bchoose nothing\b|都不选/i, 'clear, 清除'],
  [/\bwhat you alone are asked\b/i, 'sent to you alone, 只问你一人'],
  [/主人/, '所有者'],
  [/钥匙/, '密钥'],
  [/代号/, '用户名'],
  [/收件(?!箱)/, '收件箱'],
  [/(?<!反向)代理/, '智能体'],
  [/中枢/, '服务端'],
  [/您/, '你'],
];

/** True for a file in which texts stand that people read: those in Chinese, and the English ones beside them. */
export function holdsTexts({ path, text }: SourceFile): boolean {
  return HAN.test(text) || ENGLISH.test(path) || path.endsWith('.webmanifest');
}

/** Each text that says an old word, and what to say in its place. */
export function oldWords(files: SourceFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    textsOf(text).flatMap((one) =>
      OLD.filter(([old]) => old.test(one)).map(([, usual]) => `${path} says ${JSON.stringify(one)}; say ${usual}`),
    ),
  );
}

function textsOf(source: string): string[] {
  return [...source.replace(COMMENT, '').matchAll(TEXT)]
    .map(([, single, double, template]) => single ?? double ?? template ?? '')
    .filter((text) => !NO_WORDS.test(text));
}
