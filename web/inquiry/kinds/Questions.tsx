import type { Question } from '#shared/inquiry.ts';
import type { Part } from '../reply/part.ts';
import { useSignal } from '@preact/signals';
import { lazy } from '../../app/lazy.tsx';
import { pickOther } from '../reply/picking.ts';
import { partOf } from '../reply/state.ts';
import type { KindProps } from './kind.ts';
import { OneByOne } from './questions/OneByOne.tsx';
import { shortChoice } from './questions/short.ts';

const ChoiceButtons = lazy(() => import('./questions/ChoiceButtons.tsx').then(({ ChoiceButtons: ready }) => ready));
// The question that was open stays until all of them can be shown.
const AllAtOnce = lazy(() => import('./questions/AllAtOnce.tsx').then(({ AllAtOnce: ready }) => ready), OneByOne);

/** Questions, one by one or all at once; turning from one to the other keeps every answer and the place. */
export function Questions(props: KindProps) {
  const { answering, place } = props;
  const onWrite = (question: Question, part: Part) =>
    answering.change((before) => ({ ...before, parts: { ...before.parts, [question.id]: part } }));
  const short = shortChoice(props.inquiry);
  const part = short && partOf(answering.reply, short.id);
  const inWords = useSignal(part?.type === 'choice' && part.otherOn);
  if (short && part?.type === 'choice' && !inWords.value) {
    const turn = () => {
      onWrite(short, pickOther(part));
      inWords.value = true;
    };
    return <ChoiceButtons {...props} question={short} onWords={turn} />;
  }
  return place.all.value ? <AllAtOnce {...props} onWrite={onWrite} /> : <OneByOne {...props} onWrite={onWrite} />;
}
