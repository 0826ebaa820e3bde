import { useState } from 'preact/hooks';
import type { Problem } from '#shared/problem.ts';
import type { Source } from '#shared/wire.ts';
import { whenIs } from '../../app/clock.ts';
import { Refused, RefusedHere } from '../../app/form/Wrong.tsx';
import { SubmitBar } from '../../app/form/Form.tsx';
import { call } from '../../live/api.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { say } from '../../ui/language.ts';
import { Quiet } from '../../ui/Button.tsx';
import { Space } from '../../ui/sentence/Space.tsx';
import { CopyLine } from '../CopyLine.tsx';
import { deliveryWords } from './deliveryWords.ts';

type WhereProps = { source: Source; onSaved: (source: Source) => void };

/** The address that is told what becomes of a source's questions, and whether it is told now. */
export function WhereAnswersGo({ source, onSaved }: WhereProps) {
  const t = say(deliveryWords);
  const [changing, setChanging] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>();
  const paused = source.webhooksPausedAt;
  const pause = async () => {
    const body = { webhooksPaused: paused === undefined };
    const reply = await call<Source>('PATCH', `/v1/sources/${source.id}`, body);
    setProblem(reply.problem);
    if (reply.ok) onSaved(reply.ok);
  };
  return (
    <section class="panel" aria-labelledby="where">
      <h2 class="day" id="where">
        {t.where}
      </h2>
      {source.webhookUrl === undefined ? (
        <p class="say">{t.nowhere}</p>
      ) : (
        <>
          <CopyLine text={source.webhookUrl} label={t.copyAddress} />
          {source.webhookKey !== undefined && (
            <>
              <p class="say">{t.keySay}</p>
              <CopyLine text={source.webhookKey} label={t.copyKey} />
            </>
          )}
        </>
      )}
      {paused !== undefined && (
        <p class="say say--state">
          <b>{t.paused(whenIs(paused))}</b>
          <Space />
          {t.pausedSay}
        </p>
      )}
      <RefusedHere problem={problem} />
      <div class="pageacts">
        <Quiet onPress={() => setChanging(true)}>{t.change}</Quiet>
        <Quiet onPress={() => void pause()}>{paused === undefined ? t.pause : t.resume}</Quiet>
      </div>
      {changing && <ChangeAddress {...{ source, onSaved }} onClose={() => setChanging(false)} />}
    </section>
  );
}

function ChangeAddress({ source, onSaved, onClose }: WhereProps & { onClose: () => void }) {
  const t = say(deliveryWords);
  const [url, setUrl] = useState(source.webhookUrl ?? '');
  const [problem, setProblem] = useState<Problem | undefined>();
  const save = async () => {
    const webhookUrl = url.trim() === '' ? null : url.trim();
    const reply = await call<Source>('PATCH', `/v1/sources/${source.id}`, { webhookUrl });
    setProblem(reply.problem);
    if (!reply.ok) return;
    onSaved(reply.ok);
    onClose();
  };
  return (
    <Dialog title={t.change} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Field label={t.address} value={url} onWrite={setUrl} type="url" name="webhook" spellcheck={false} autoFocus />
        <p class="hint">{t.changeSay}</p>
        <Refused problem={problem} />
        <SubmitBar cancel={t.cancel} submit={t.save} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
