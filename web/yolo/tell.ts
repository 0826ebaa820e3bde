import { useEffect, useState } from 'preact/hooks';
import type { AskingSource } from '#shared/history.ts';
import type { StartYolo, Yolo, Yolos } from '#shared/policies/yolo.ts';
import { visible } from '#shared/visible.ts';
import { explain } from '../app/form/explain.ts';
import { whenIs } from '../app/clock.ts';
import { call } from '../live/api.ts';
import { known } from '../live/inquiries.ts';
import { yoloWords } from './words.ts';

type Covered = Pick<StartYolo, 'sources' | 'runs' | 'calls' | 'questions' | 'destructive'>;

/** The sources that have asked this person. */
export function useSources(): AskingSource[] {
  const [sources, setSources] = useState<AskingSource[]>([]);
  useEffect(() => {
    void call<{ items: AskingSource[] }>('GET', '/v1/people/me/sources').then(({ ok }) => ok && setSources(ok.items));
  }, []);
  return sources;
}

/** YOLO that runs and that ran before, read anew whenever it changes. */
export function useYolos(): Yolos | undefined {
  const [read, setRead] = useState<Yolos | undefined>();
  const { version } = known.value.yolo;
  useEffect(() => {
    void call<Yolos>('GET', '/v1/yolo').then(({ ok }) => ok && setRead(ok));
  }, [version]);
  return read;
}

/** Whom it is for: names, or `all` where it is for every source. */
export function sayNames({ sources, runs }: Covered, known: AskingSource[], all: string): string {
  const t = yoloWords();
  const nameOf = (id: string) => visible(known.find((source) => source.id === id)?.name ?? t.oneSource);
  const names = sources ? sources.map(nameOf).join(t.list) : all;
  return runs ? t.runs(runs.length, names) : names;
}

/** In one sentence what it does until then, and what it never does. */
export function covers(yolo: Covered, until: string, known: AskingSource[]): string {
  const t = yoloWords();
  const { calls, questions, destructive = false } = yolo;
  const names = sayNames(yolo, known, t.all);
  const kindOf = <K extends string>(choice: K | { decider: string }) =>
    typeof choice === 'object' ? 'decider' : choice;
  const what = [
    ...(calls ? [t.does[kindOf(calls)](names)] : []),
    ...(questions ? [t.does.questions[kindOf(questions)](names)] : []),
  ];
  // Without calls nothing of them is settled.
  return t.covers(until, what.join(t.does.and), destructive || !calls);
}

/** Stops it on all devices; returns, as a sentence, why it could not be stopped. */
export async function stop({ id, untilAt }: Yolo): Promise<string> {
  const { problem } = await call('POST', `/v1/yolo/${id}/stop`);
  if (!problem) return '';
  return problem.status === 0 ? yoloWords().offline(whenIs(untilAt)) : explain(problem);
}

/** Notes that its end was looked at, so that no device shows it any more. */
export async function noteSeen({ id }: Yolo): Promise<void> {
  await call('POST', `/v1/yolo/${id}/seen`);
}
