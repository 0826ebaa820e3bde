import './yolo.css';
import { useState } from 'preact/hooks';
import type { AskingSource } from '#shared/history.ts';
import { mayDestroy } from '#shared/call-name/may-destroy.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Problem } from '#shared/problem.ts';
import { visible } from '#shared/visible.ts';
import { Refused } from '../app/form/Wrong.tsx';
import { useDeciders } from '../deciders/useDeciders.ts';
import { call } from '../live/api.ts';
import { offerWaiting } from '../policies/waiting.ts';
import { now, serverNow, useTicking } from '../ui/clock.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Either } from '../ui/Either.tsx';
import { SettingChoice, SettingRow, SettingTime } from '../ui/SettingRows.tsx';
import { atFirst, toBody, type Chosen, chosenEnd } from './chosen.ts';
import { SourceOptions } from './SourceOptions.tsx';
import { useSources } from './tell.ts';
import { yoloWords } from './words.ts';

type Choosing = { chosen: Chosen; sources: AskingSource[]; onChoose: (change: Partial<Chosen>) => void };

/** What YOLO is to do, for whom and how long; nothing is started before its button is pressed. */
export function StartDialog({ onClose }: { onClose: () => void }) {
  const t = yoloWords();
  useTicking();
  const sources = useSources();
  const [chosen, choose] = useState(atFirst);
  const [problem, setProblem] = useState<Problem | undefined>();
  const [busy, setBusy] = useState(false);
  const at = chosenEnd(chosen, now.value);
  const start = async () => {
    const asked = toBody(chosen, serverNow());
    if (!asked || busy) return;
    setBusy(true);
    const reply = await call('POST', '/v1/yolo', asked);
    setBusy(false);
    setProblem(reply.problem);
    if (!reply.ok) return;
    onClose();
    const { calls, sources: only, destructive } = asked;
    const fits = ({ source, actions = [] }: Inquiry) =>
      (!only || only.includes(source.id)) && (destructive || !actions.some(mayDestroy));
    if (calls === 'approve') offerWaiting(fits);
  };
  return (
    <Dialog title={t.start} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
      >
        <Choices chosen={chosen} sources={sources} onChoose={(change) => choose({ ...chosen, ...change })} />
        <Refused problem={problem} />
        <div class="bar-do">
          <Button look="line" onPress={onClose}>
            {t.cancel}
          </Button>
          <Button submit waits={!toBody(chosen, now.value) || busy} onPress={() => {}}>
            {at === undefined ? t.start : t.startUntil(at, now.value)}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Choices({ chosen, sources, onChoose }: Choosing) {
  const t = yoloWords();
  const { sources: only, calls, destructive, questions, end, time } = chosen;
  const deciders = (useDeciders().items ?? []).map(
    ({ id, name }) => [id as `dcd_${string}`, t.decidedBy(visible(name))] as const,
  );
  return (
    <>
      <Either
        label={t.howLong}
        value={end}
        options={(['quarter', 'hour', 'tonight', 'other'] as const).map((one) => [one, t.ends[one]] as const)}
        onPick={(one) => onChoose({ end: one })}
      />
      <ul class="sets">
        {end === 'other' && (
          <SettingTime
            name={t.time}
            hint={t.atMost}
            label={t.time}
            value={time}
            onPick={(one) => onChoose({ time: one })}
          />
        )}
        <SettingChoice
          name={t.source}
          value={only ? 'several' : 'all'}
          options={[['all', t.all] as const, ...(sources.length > 0 ? [['several', t.several] as const] : [])]}
          onPick={(which) =>
            onChoose({ sources: which === 'all' ? undefined : sources.length === 1 ? [sources[0]!.id] : [] })
          }
        />
        {only && (
          <li class="yolo-sources">
            <SourceOptions
              label={t.sources}
              sources={sources}
              chosen={only}
              onChoose={(some) => onChoose({ sources: some })}
            />
          </li>
        )}
        <SettingChoice
          name={t.callsOf}
          value={calls}
          options={[
            ...(['approve', 'you-decide', 'ask'] as const).map((one) => [one, t.calls[one]] as const),
            ...deciders,
          ]}
          onPick={(one) => onChoose({ calls: one })}
        />
        {calls !== 'ask' && (
          <SettingChoice
            name={t.destructive}
            value={destructive}
            options={(['ask', 'same'] as const).map((one) => [one, t.destructiveAre[one]] as const)}
            onPick={(one) => onChoose({ destructive: one })}
          />
        )}
        <SettingChoice
          name={t.questionsOf}
          value={questions}
          options={[...(['ask', 'you-decide'] as const).map((one) => [one, t.questions[one]] as const), ...deciders]}
          onPick={(one) => onChoose({ questions: one })}
        />
        <SettingRow name={t.yours} value={t.questions.ask} />
      </ul>
    </>
  );
}
