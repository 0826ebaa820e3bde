import type { Words } from './vocabulary.ts';
const sendInquiry = `Ask the person you work for, and wait for the answer. They see it on their phone and computer; the call returns when they have answered, which may take seconds or hours.

Ask when
- the request can be read in ways that lead to different results, and nothing you can look up settles it;
- only a person can decide: taste, priorities, a trade-off, a budget, a name;
- the next step is hard to undo or reaches outside (delete, pay, publish, send, deploy) and they have not asked for exactly that;
- you lack what only they can give: access, a credential, a file, a fact written nowhere.

Do not ask
- what you can find out by reading, searching or running a tool: do that first;
- whether to go on with what they already asked for;
- to report progress or results: that is send_notice, or your reply;
- again, in other words, what was answered, declined or not answered in time.

If you are about to end your turn with a question to the person, call this instead.

Ask once for all you need now. Say in the prompt what you are doing, what you found and what depends on the answer: they may read it hours later on a phone. Where few answers are likely, give questions with options; put your best guess into suggested. For a step that needs approval send it as actions, with its exact arguments. The result is the person's own words, or says who decided in their place. If its status is "pending", call get_answer with the inquiryId. A decline, an expiry or a withdrawal is never a yes.`;

export const en: Words = {
  instructions: {
    source:
      'Beckon reaches the person you work for, on whichever device is nearest. Use send_inquiry when you need something only they can decide or know, before steps that are hard to undo, and instead of ending your turn with a question; find out yourself what can be found out. It blocks until they answer. If a result says "pending", call get_answer with its inquiryId. Use send_notice to tell them something that needs no answer. Never take a decline, an expiry or silence for a yes.',
    device:
      'These tools act for a person: list_inquiries shows what agents ask them, answer_inquiry answers in their name and cannot be taken back. Answer only what the person told you to answer.',
  },
  tools: {
    send_inquiry: {
      title: 'Ask the person',
      description: sendInquiry,
    },
    get_answer: {
      title: 'Wait for an answer',
      description:
        'Go on waiting for an inquiry that send_inquiry returned as "pending", or read its answer again. It waits like send_inquiry. Call it again while it says "pending"; do not send the same inquiry anew.',
    },
    decide_for_human: {
      title: 'Let somebody stand in for the person',
      description:
        'When nobody answered an inquiry of yours, or send_inquiry said "pending" and you cannot wait any longer: asks the decider that the owner chose to stand in for the person, and returns what it would answer. It is not the person’s decision and is marked so; the inquiry stays as it is. Say what led to the question (background) and what you want to reach (goal). What a person declined stays declined; only where the owner allows it is the stand-in asked about such a question, and never about a call.',
    },
    withdraw_inquiry: {
      title: 'Take a question back',
      description:
        'Take back an inquiry whose answer you no longer need, for instance because you found it yourself. It disappears from all devices. If it was answered meanwhile you get the answer.',
    },
    send_notice: {
      title: 'Tell the person',
      description:
        'Tell the person something that needs no answer: a long task is done, something failed, something they should know now. It notifies their devices and returns at once. Not for every step, and not for questions.',
    },
    list_inquiries: {
      title: 'See what is asked',
      description: 'List what agents ask this person, newest first, with the digest that answer_inquiry takes.',
    },
    answer_inquiry: {
      title: 'Answer in the person’s name',
      description:
        'Answer an inquiry in the name of the person whose device this is. The first answer wins and cannot be taken back; if somebody was faster you are told who. Never answer what the person has not decided.',
    },
  },
  waitingFor: (names) => `Waiting for ${names.join(', ')} to answer`,
  pending: (inquiryId) =>
    `Nobody has answered yet. The question is still open on their devices (inquiryId ${inquiryId}). Call get_answer with this inquiryId to go on waiting; do not send the same inquiry again, and do not take silence for an answer.`,
  pendingTold: (inquiryId) =>
    `Nobody has answered yet. The question is still open on their devices (inquiryId ${inquiryId}). You need not wait: your client is told by the event inquiry.resolved when it ends. Go on with what does not depend on it, then call get_answer with this inquiryId; do not send the same inquiry again, and do not take silence for an answer.`,
  validUntil: (at) => `It may be run until ${at}, and not after that.`,
  lateAnswer: (who, text) => `${who} answered late: ${text}`,
  decidedFor: (who, text) =>
    `${who} answers in the person’s place; no person decided this:\n${text}\nIf the person answers the inquiry itself, theirs counts.`,
  undecided: (who, problem) =>
    `${who} gave no answer either, so nobody decided: go on without it, or stop and say what is missing. (${problem})`,
  alreadyResolved: 'It could not be taken back, because it was resolved already:',
  noticeSent: 'Told.',
  won: 'This answer won. Everybody else has been told.',
  lost: (who, device, at) => `${who} answered first, on ${device} at ${at}. This answer was not used:`,
  held: (approved, wanted) => `${approved} of ${wanted} approved. Others have to approve the same before it is done.`,
  tooLate: (outcome, at) => `It was ${outcome} at ${at}; this answer came too late and is kept as a late one.`,
  faults: (list) => `This was refused and nobody was asked. Correct it and call again:\n${list}`,
};
