import { useState } from 'preact/hooks';
import type { AskingSource } from '#shared/history.ts';
import type { Preview } from '#shared/policies/preview.ts';
import type { Rule } from '#shared/policies/rule.ts';
import type { Problem } from '#shared/problem.ts';
import { Refused, Wrong } from '../../app/form/Wrong.tsx';
import { useFirstField } from '../../app/form/useFirstField.ts';
import { SubmitBar } from '../../app/form/SubmitBar.tsx';
import type { Whose } from '../lists.ts';
import { Previewed } from '../Previewed.tsx';
import { Saying } from '../Saying.tsx';
import { previewOf } from '../usePreview.ts';
import { ruleWords } from '../words.ts';
import { Blanks } from './Blanks.tsx';
import { ruleOfWritten, writtenOf } from './written.ts';

type EditRuleProps = {
  of: Whose;
  rule: Rule | undefined;
  sources: AskingSource[];
  deciders: AskingSource[];
  nameOf: (sourceId: string) => string;
  onSave: (rule: Rule) => Promise<Problem | undefined>;
  onCancel: () => void;
};

/** Makes a rule or changes one: it is read aloud while it is written, and saved once its preview was shown. */
export function EditRule({ of, rule: before, sources, deciders, nameOf, onSave, onCancel }: EditRuleProps) {
  const t = ruleWords();
  const form = useFirstField();
  const [written, setWritten] = useState(writtenOf(before));
  const [shown, show] = useState<{ key: string; preview: Preview } | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const [busy, setBusy] = useState(false);
  const rule = ruleOfWritten(written, before);
  const key = JSON.stringify(rule);
  const preview = rule && shown?.key === key ? shown.preview : undefined;
  const press = async () => {
    if (!rule || busy) return;
    setBusy(true);
    if (preview) setProblem(await onSave(rule));
    else {
      const reply = await previewOf(of, rule);
      setProblem(reply.problem);
      if (reply.ok) show({ key, preview: reply.ok });
    }
    setBusy(false);
  };
  return (
    <form
      ref={form}
      class="fields"
      onSubmit={(event) => {
        event.preventDefault();
        void press();
      }}
    >
      <Blanks {...{ written, sources, deciders }} onWrite={(change) => setWritten({ ...written, ...change })} />
      <div class="result">
        {rule && (
          <p class="saying">
            <Saying rule={rule} nameOf={nameOf} />
          </p>
        )}
        <div role="status">{rule && preview && <Previewed then={rule.then} preview={preview} />}</div>
      </div>
      {!rule && <Wrong>{t.notJson}</Wrong>}
      <Refused problem={problem} />
      <SubmitBar cancel={t.cancel} submit={preview ? t.save : t.preview} waits={!rule || busy} onCancel={onCancel} />
    </form>
  );
}
