import type { Question } from '#shared/inquiry.ts';
import { later } from '../../app/later.tsx';
import type { Part } from '../reply/state.ts';
import type { KindProps } from './kind.ts';
import { OneByOne } from './questions/OneByOne.tsx';

const AllAtOnce = later(() => import('./questions/AllAtOnce.tsx').then(({ AllAtOnce: ready }) => ready));

/** Questions, one by one or all at once; turning from one to the other keeps every answer and the place. */
export function Questions(props: KindProps) {
  const { answering, place } = props;
  const onWrite = (question: Question, part: Part) =>
    answering.change((before) => ({ ...before, parts: { ...before.parts, [question.id]: part } }));
  return place.all.value ? <AllAtOnce {...props} onWrite={onWrite} /> : <OneByOne {...props} onWrite={onWrite} />;
}
