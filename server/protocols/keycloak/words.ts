import type { Language } from '#shared/texts/language.ts';

type Words = Record<'began' | 'yes' | 'no', string> & {
  title(client: string): string;
  compare(shown: string): string;
  who(client: string, user: string, realm: string): string;
  may(scopes: string[], consents: boolean): string[];
};

/** The scopes that every realm has, in plain words; others are a realm's own and stand as they are. */
const SCOPES: Record<Language, Record<string, string>> = {
  en: {
    openid: 'know which account you are',
    profile: 'read your name and profile',
    email: 'read your e-mail address',
    address: 'read your postal address',
    phone: 'read your telephone number',
    roles: 'know your roles',
    offline_access: 'stay signed in while you are away',
  },
  zh: {
    openid: '知道你是哪个账户',
    profile: '读取你的姓名和个人资料',
    email: '读取你的电子邮箱',
    address: '读取你的邮寄地址',
    phone: '读取你的电话号码',
    roles: '知道你的角色',
    offline_access: '在你离开时保持登录',
  },
};

/** Names in code, as Markdown. */
const list = (language: Language, scopes: string[]): string[] =>
  scopes.map(
    (scope) => `- ${Object.entries(SCOPES[language]).find(([name]) => scope === `\`${name}\``)?.[1] ?? scope}`,
  );

/** What whoever signs in reads. */
export const WORDS: Record<Language, Words> = {
  en: {
    title: (client) => `Sign in at ${client}?`,
    compare: (shown) =>
      `Does your other screen show this?\n\n# ${shown}\n\nIf it shows something else, or you began nothing there, say no.`,
    began: 'Did you begin this on another screen just now? If not, say no.',
    who: (client, user, realm) => `${client} signs you in as ${user} of ${realm}.`,
    may: (scopes, consents) =>
      scopes.length === 0
        ? []
        : ['', consents ? 'With your yes you let it:' : 'It may then:', '', ...list('en', scopes)],
    yes: 'Yes, sign me in',
    no: 'No',
  },
  zh: {
    title: (client) => `登录 ${client}？`,
    compare: (shown) =>
      `你的另一个屏幕上显示的是这个吗？\n\n# ${shown}\n\n如果显示的不同，或者你没有在那里发起登录，请拒绝。`,
    began: '这是你刚刚在另一个屏幕上发起的吗？如果不是，请拒绝。',
    who: (client, user, realm) => `${client} 将以 ${realm} 的 ${user} 身份登录。`,
    may: (scopes, consents) =>
      scopes.length === 0 ? [] : ['', consents ? '你同意后，它将获准：' : '之后它可以：', '', ...list('zh', scopes)],
    yes: '是，登录',
    no: '否',
  },
};
