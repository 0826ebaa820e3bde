import { moment } from '../../ui/times.ts';

const or = new Intl.ListFormat('en', { type: 'disjunction' });
const several = (count: number) => `${count} ${count === 1 ? 'inquiry' : 'inquiries'}`;

/** What a rule says, in English; Chinese has the same shape. */
export const en = {
  or: (parts: string[]) => or.format(parts),
  subject: (who: string, does: string) => `${who} ${does}`,
  anySource: 'any source',
  calls: (tools: string) => `calls ${tools}`,
  asks: (kinds: string) => `asks ${kinds}`,
  kinds: {
    text: 'for a text',
    questions: 'questions',
    document: 'for a document to be edited',
    actions: 'to run something',
    link: 'for a page to be opened',
  },
  anything: 'anything',
  agent: (names: string) => `its agent is called ${names}`,
  dialect: (names: string) => `it comes through ${names}`,
  gate: (names: string) => `it waits at the gate ${names}`,
  tool: (names: string) => `the tool is ${names}`,
  allArgs: 'the whole of its arguments',
  equals: (what: string, value: string) => `${what} is ${value}`,
  matches: (what: string, pattern: string) => `${what} is a text like ${pattern}`,
  under: (what: string, folder: string) => `${what} is ${folder} or a path below it`,
  least: (what: string, min: number) => `${what} is at least ${min}`,
  most: (what: string, max: number) => `${what} is at most ${max}`,
  between: (what: string, min: number, max: number) => `${what} is from ${min} to ${max}`,
  shell: (commands: string) =>
    `every command in its line is ${commands}, and it has no other argument but a description, a time-out or what this rule names`,
  further: (command: string) => `${command} with any further words that are no options`,
  annotation: {
    'read-only': 'the tool says that it only reads',
    destructive: 'the tool says that it destroys',
    'not destructive': 'the tool says that it destroys nothing',
  },
  run: (names: string) => `it is of the run ${names}`,
  group: (names: string) => `its group is called ${names}`,
  askedLeast: (min: number) => `its run has asked ${several(min)} or more before`,
  askedMost: (max: number) => `its run has asked at most ${several(max)} before`,
  askedBetween: (min: number, max: number) => `its run has asked ${min} to ${several(max)} before`,
  time: (from: string, to: string) => `it is between ${from} and ${to}`,
  days: (names: string) => `it is ${names}`,
  day: {
    mon: 'Monday',
    tue: 'Tuesday',
    wed: 'Wednesday',
    thu: 'Thursday',
    fri: 'Friday',
    sat: 'Saturday',
    sun: 'Sunday',
  },
  then: {
    approve: 'approve it',
    suggested: 'answer as the asker suggests',
    'you-decide': 'let the agent decide',
    unanswered: 'treat it as not answered in time',
    random: 'pick one of the options at random',
    ask: 'ask',
    'ask-quietly': 'ask without notifying anyone',
  },
  rejectOnly: 'reject it',
  reject: (words: string) => `reject it with the words ${words}`,
  answer: (words: string) => `answer ${words}`,
  askOthers: (handles: string[]) => `ask ${new Intl.ListFormat('en').format(handles)} instead`,
  other: 'do what only a newer page can read',
  until: (at: number, now: number) => ` until ${moment(at, now, 'en')}`,
  whole: (subject: string, conditions: string[], then: string, until: string) =>
    `When ${subject}${conditions.map((one) => `, and ${one}`).join('')}, ${then}${until}.`,
};
