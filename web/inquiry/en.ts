import { capital, clockTime, countWord, lasting, moment, ordinal } from '../ui/times.ts';

const en = 'en';
const many = (count: number, one: string, several = `${one}s`) => (count === 1 ? one : several);

/** The dialog's words in English; Chinese has the same shape. */
export const words = {
  about: 'About this question',
  yourAnswer: 'Your answer',
  more: 'More',

  by: {
    in: (left: number) => `, in ${lasting(left, en)}`,
    up: 'Time is up.',
    upMore: 'What was sent in time still counts.',
    entry: 'Held open while you write',
    moved: (at: number, now: number) => `Moved, now due ${moment(at, now, en)}`,
    fiveMore: 'Five more minutes',
    step: (place: number, of: number) =>
      place === of ? `Last of ${countWord(of, en)}` : `${capital(ordinal(place))} of ${countWord(of, en)}`,
  },

  send: 'Send',
  sendSuggested: 'Send as suggested',
  sendBack: 'Send back',
  sendAll: (count: number) => `Send all ${count}`,
  sendAllSuggested: (count: number) => `Send all ${count} as suggested`,
  allAtOnce: (count: number) => `See all ${count} at once`,
  oneByOne: 'One at a time',
  leftToAnswer: (left: number) =>
    left === 1 ? 'One still waits for an answer.' : `${capital(countWord(left, en))} still wait for an answer.`,
  next: 'Next',
  back: 'Back',
  previous: 'Back',
  decline: 'Decline',
  letDecide: (decider: string) => `Let ${decider} decide`,
  decidesIn: (decider: string, seconds: number) => `${decider} decides in ${seconds}\u00a0s`,
  declineAsk: (source: string) => `The agent gets no answer. Tell ${source} why, or leave it blank`,
  suggestedBy: (source: string) => `Suggested by ${source}`,
  yourWords: 'Your words',
  bringBack: 'Bring the suggestion back',
  suggested: 'suggested',
  between: '. ',
  inWords: 'Answer in words',
  somethingElse: 'Something else',
  somethingElseMore: 'Say it in your own words.',
  preview: 'Show more',
  clearChoice: 'Clear',
  optional: 'optional',
  optionalField: ' (optional)',
  said: 'Answered so far',
  blank: 'left blank',
  secretNote: 'This is kept sealed and shown to nobody but the asker.',
  pickBetween: (min: number, max: number | undefined) => {
    if (max === undefined) return min > 1 ? `Choose at least ${countWord(min, en)}.` : 'Choose as many as apply.';
    if (min === max) return `Choose exactly ${countWord(min, en)}.`;
    return min === 0
      ? `Choose up to ${countWord(max, en)}.`
      : `Choose from ${countWord(min, en)} to ${countWord(max, en)}.`;
  },

  faults: {
    'answer.missing': () => 'Required',
    'answer.empty': () => 'Required',
    'answer.too_few': ({ minimum }: FaultParams) => `Choose at least ${countWord(Number(minimum), en)}.`,
    'answer.too_many': ({ maximum }: FaultParams) => `Choose at most ${countWord(Number(maximum), en)}.`,
    'answer.count': () => 'Every call needs its own decision.',
    'json.malformed': () => 'This is not JSON yet. Check quotes, commas and brackets.',
    'json.object': () => 'A form is a JSON object: it begins with { and ends with }.',
    'json.inexact': ({ number }: FaultParams) =>
      `The number ${number} has more digits than this page can send exactly. Write it as text, or answer on another way.`,
    'field.number': () => 'This is not a number.',
    'field.integer': () => 'This is not a whole number.',
    'field.minimum': ({ minimum }: FaultParams) => `It has to be ${minimum} or more.`,
    'field.maximum': ({ maximum }: FaultParams) => `It has to be ${maximum} or less.`,
    'field.above': ({ exclusiveMinimum }: FaultParams) => `It has to be more than ${exclusiveMinimum}.`,
    'field.below': ({ exclusiveMaximum }: FaultParams) => `It has to be less than ${exclusiveMaximum}.`,
    'field.step': ({ multipleOf }: FaultParams) => `It has to be in steps of ${multipleOf}.`,
    'field.too_short': ({ minimum }: FaultParams) =>
      `It has to have at least ${minimum} ${many(Number(minimum), 'character')}.`,
    'field.too_long': ({ maximum }: FaultParams) =>
      `It has to have at most ${maximum} ${many(Number(maximum), 'character')}.`,
    'field.pattern': ({ pattern }: FaultParams) => `It has to fit the pattern ${pattern}.`,
    'field.email': () => 'This address is not complete. It needs an @ and a dot after it.',
    'field.uri': () => 'This is not a whole web address. It begins with https:// or the like.',
    'field.date': () => 'This is not a date.',
  } as Record<string, (params: FaultParams) => string>,
  refused: (detail: string) => `The hub did not take it: ${detail}`,

  call: {
    approve: 'Approve',
    reject: 'Reject',
    edit: 'Edit',
    respond: 'Reply instead',
    asJson: 'As JSON',
    asForm: 'As a form',
    long: (lines: number, characters: number) =>
      lines > 1 ? `${lines} lines` : `${characters} ${many(characters, 'character')}`,
    below: (lines: number, characters: number) =>
      lines > 0
        ? `${lines} more ${many(lines, 'line')} below, ${characters} characters. Show them`
        : `${characters} more characters. Show them`,
    rejectAll: 'Reject all',
    inFolder: (folder: string) => `, in ${folder}`,
    copy: 'Copy',
    copied: 'Copied',
    entries: (count: number) => `${countWord(count, en)} ${many(count, 'entry', 'entries')}`,
    noArgs: 'no arguments',
    alike: (count: number) => `${count} ${many(count, 'line')} alike`,
    newFile: 'new file',
    change: (place: number, of: number) => `Change ${place} of ${of}`,
    previous: 'Previous change',
    next: 'Next change',
    destructive: 'Destructive',
    caution: 'Caution.',
    afterEnd: 'after you have seen the end',
    afterCall: 'after you have seen the call',
    remembers: (what: string) => `Remembered: ${what}`,
  },

  queued: {
    wrote: (at: number) => `You wrote at ${clockTime(at)}`,
    leaves: 'It is sent when the hub is back. If somebody answers earlier, you will read who.',
    undo: 'Undo',
    tryNow: 'Try now',
    sending: 'Sending…',
  },
};

export type Words = typeof words;
export type FaultParams = Record<string, string>;
