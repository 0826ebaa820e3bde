import { capital, countWord, lasting } from '../../ui/times.ts';

const exactly = (seconds: number, language: 'en' | 'zh') =>
  seconds % 86_400 === 0
    ? language === 'zh'
      ? `${countWord(seconds / 86_400, language)}天`
      : `${countWord(seconds / 86_400, language)} ${seconds === 86_400 ? 'day' : 'days'}`
    : lasting(seconds * 1000, language);

const en = {
  title: 'Approvals',
  people: 'People who must approve',
  peopleSay: 'more, where an ask says more; the first reject ends it',
  count: (count: number) => capital(countWord(count, 'en')),
  how: 'A yes takes',
  howSay: 'with a passkey no rule and no stand-in says yes',
  tap: 'A tap',
  passkey: 'A passkey',
  holds: 'An approval holds',
  holdsSay: 'as usual: a day, or a week where no call waits',
  usual: 'As usual',
  lasts: (seconds: number) => capital(exactly(seconds, 'en')),
  escalate: 'While nobody answers, ask too',
  step: (after: string, whom: string) => `${whom} after ${after.charAt(0).toLowerCase()}${after.slice(1)}`,
  nobody: 'Nobody',
  steps: (count: number) => `${capital(countWord(count, 'en'))} steps`,
  after: (step: number) => (step === 1 ? 'After so many minutes' : `Step ${step}: after so many minutes`),
  whom: (step: number) => (step === 1 ? 'User names of people or groups' : `Step ${step}: user names`),
  save: 'Save',
  cancel: 'Cancel',
};

const zh: typeof en = {
  title: '审批',
  people: '须批准的人数',
  peopleSay: '提问要求更多时按提问；第一个拒绝即告结束',
  count: (count) => `${countWord(count, 'zh')}人`,
  how: '批准方式',
  howSay: '使用通行密钥时，规则和代答都不能代为批准',
  tap: '点一下',
  passkey: '通行密钥',
  holds: '批准的有效期',
  holdsSay: '默认一天；没有调用在等待时七天',
  usual: '默认',
  lasts: (seconds) => exactly(seconds, 'zh'),
  escalate: '无人答复时也询问',
  step: (after, whom) => `${after}后询问 ${whom}`,
  nobody: '不询问他人',
  steps: (count) => `${countWord(count, 'zh')}步`,
  after: (step) => (step === 1 ? '多少分钟后' : `第 ${step} 步：多少分钟后`),
  whom: (step) => (step === 1 ? '成员或小组的用户名' : `第 ${step} 步：用户名`),
  save: '保存',
  cancel: '取消',
};

export const approvalWords = { en, zh };
