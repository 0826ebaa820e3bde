import type { ComponentChildren } from 'preact';
import type { Inquiry, Question } from '#shared/inquiry.ts';
import { Quiet } from '../../ui/Button.tsx';
import type { Part } from '../reply/form/values.ts';
import { firstLine, withoutFirstLine } from '../view/headline.ts';
import { dialogWords } from '../words.ts';
import type { KindProps } from './kind.ts';

export type QuestionsProps = KindProps & { onWrite: (question: Question, part: Part) => void };

/** True while the asker's suggestion is a whole answer that nobody has touched. */
export function isSuggested({ inquiry, answering }: KindProps): boolean {
  return inquiry.suggested !== undefined && !answering.reply.own && answering.faults.length === 0;
}

/** What the button says that sends them all. */
export function sendWords(props: KindProps): string {
  const words = dialogWords();
  const count = props.inquiry.questions?.length ?? 1;
  if (isSuggested(props)) return words.sendSuggested;
  return count === 1 ? words.send : words.sendAll(count);
}

/** The quiet acts above the buttons: more time, the suggestion as it is, the other way to see the questions, declining. */
export function also(props: QuestionsProps, suggested: ComponentChildren = false): ComponentChildren {
  const { inquiry, place, answering, extension, decline } = props;
  const words = dialogWords();
  const count = inquiry.questions?.length ?? 1;
  if (count === 1) return extension;
  const turn = () => {
    answering.showFaults(false);
    place.all.value = !place.all.value;
  };
  return (
    <>
      {extension}
      {suggested}
      <Quiet onPress={turn}>{place.all.value ? words.oneByOne : words.allAtOnce(count)}</Quiet>
      <Quiet onPress={decline.press}>{decline.say}</Quiet>
    </>
  );
}

/** Sends the suggestion from whichever page, with one tap. */
export function SuggestedAtOnce({ count, onPress }: { count: number; onPress: () => void }) {
  return <Quiet onPress={onPress}>{dialogWords().sendAllSuggested(count)}</Quiet>;
}

/** True where what is typed could be an answer. */
export function mayWrite(question: Question): boolean {
  return question.type === 'text' || question.type === 'form' || question.allowOther === true;
}

/** What is said about several questions together, below their title. */
export function readPreface({ prompt = '', title }: Inquiry): string {
  return firstLine(prompt) === title ? withoutFirstLine(prompt) : prompt;
}
