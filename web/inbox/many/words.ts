import { say } from '../../ui/language.ts';
import { spaced } from '../../ui/sentence/spaced.ts';
import { countWord, moment } from '../../ui/times.ts';

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const en = {
  wait: (count: number) => `${capital(countWord(count, 'en'))} wait`,
  first: (at: number, now: number) => `next due ${moment(at, now, 'en')}.`,
  show: 'Show',
  all: 'All',
  urgent: (count: number) => `Urgent ${count}`,
  soon: (count: number) => `Due soon ${count}`,
  approvals: (count: number) => `Approvals ${count}`,
  questions: (count: number) => `Questions ${count}`,
  search: 'Search',
  searchHint: 'Search what waits',
  filter: 'Filter',
  source: 'Source',
  kind: 'Kind',
  anySource: 'All sources',
  anyKind: 'All kinds',
  onlyApprovals: 'Approvals',
  onlyQuestions: 'Questions',
  close: 'Close',
  select: 'Select',
  selectMany: (count: number) => `Select ${count}`,
  selectHead: 'Select calls to decide together.',
  ofThisKind: (count: number) => `Select all ${count} of this kind`,
  clear: 'Clear',
  cancel: 'Cancel',
  pressing: 'Urgent and due soon',
  more: (count: number) => `Show ${count} more`,
  isUrgent: 'Urgent',
  isCaution: 'Caution',
  and: ', ',
  none: 'Nothing of what waits fits.',
  apart: {
    question: 'A question: decide it by itself',
    caution: 'Caution: decide it by itself',
    several: 'Several calls: decide it by itself',
    files: 'Changes files: decide it by itself',
    yolo: 'Starts YOLO: decide it by itself',
    rule: 'A rule asks about this tool: decide it by itself',
    unlike: 'Not like the others',
  },
};

const zh: typeof en = {
  wait: (count) => `${count === 2 ? '两' : countWord(count, 'zh')}件待处理`,
  first: (at, now) => `最近${spaced(moment(at, now, 'zh'))}到期。`,
  show: '显示',
  all: '全部',
  urgent: (count) => `紧急 ${count}`,
  soon: (count) => `即将到期 ${count}`,
  approvals: (count) => `审批 ${count}`,
  questions: (count) => `提问 ${count}`,
  search: '搜索',
  searchHint: '搜索待处理的事',
  filter: '筛选',
  source: '来源',
  kind: '类型',
  anySource: '所有来源',
  anyKind: '所有类型',
  onlyApprovals: '审批',
  onlyQuestions: '提问',
  close: '关闭',
  select: '选择',
  selectMany: (count) => `选择 ${count} 个`,
  selectHead: '选择要一起决定的调用。',
  ofThisKind: (count) => `选择全部 ${count} 个同类`,
  clear: '清除',
  cancel: '取消',
  pressing: '紧急和即将到期',
  more: (count) => `再显示 ${count} 个`,
  isUrgent: '紧急',
  isCaution: '慎重',
  and: '，',
  none: '没有符合条件的事。',
  apart: {
    question: '提问：需单独决定',
    caution: '慎重：需单独决定',
    several: '多个调用：需单独决定',
    files: '要改文件：需单独决定',
    yolo: '会开始放行：需单独决定',
    rule: '有规则要求询问此工具：需单独决定',
    unlike: '与其他不同类',
  },
};

/** The words of a long list in the page's language. */
export function manyWords() {
  return say({ en, zh });
}
