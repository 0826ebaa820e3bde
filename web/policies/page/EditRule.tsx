import { useEffect, useState } from 'preact/hooks';
import type { AskingSource } from '#shared/history.ts';
import { freeName } from '#shared/policies/names.ts';
import type { Preview } from '#shared/policies/preview.ts';
import type { Rule } from '#shared/policies/rule.ts';
import type { Fault, Problem } from '#shared/problem.ts';
import { Refused } from '../../app/form/Wrong.tsx';
import { useFirstField } from '../../app/form/Form.tsx';
import { keepStored } from '../../live/stored.ts';
import { Button } from '../../ui/Button.tsx';
import { clockTime } from '../../ui/times.ts';
import type { Whose } from '../lists.ts';
import { Previewed } from '../Previewed.tsx';
import { Saying } from '../Saying.tsx';
import { fetchPreview } from '../Previewed.tsx';
import { ruleWords } from '../words.ts';
import { Blanks } from './Blanks.tsx';
import { fieldOf, sentenceOfFault } from './faults.ts';
import { NearOffer } from './NearOffer.tsx';
import { checkWords } from './words.ts';
import { ruleOfWritten, type Written, toWritten } from './written.ts';

type EditRuleProps = {
  of: Whose;
  rule: Rule | undefined;
  /** What was written before the page was left. */
  draft: Written | undefined;
  taken: Rule[];
  sources: AskingSource[];
  deciders: AskingSource[];
  nameOf: (sourceId: string) => string;
  onSave: (rule: Rule, preview: Preview) => Promise<Problem | undefined>;
  onCancel: () => void;
};

/** Where what was written of a rule is kept until it is saved. */
export const draftKey = (of: Whose, name = ''): string => `rule-draft:${of}/${name}`;

/** Makes a rule or changes one: it is read aloud, checked and tried while it is written, and kept when the page is left. */
export function EditRule({ of, rule: before, draft, taken, onSave, onCancel, ...known }: EditRuleProps) {
  const [t, c] = [ruleWords(), checkWords()];
  const form = useFirstField('input:not([type=checkbox])');
  const [written, setWritten] = useState(draft ?? toWritten(before));
  const [savedAt, setSavedAt] = useState<number | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const [busy, setBusy] = useState(false);
  const rule = named(ruleOfWritten(written, before), known.nameOf, taken, before);
  const { preview, faults } = useChecked(of, rule);
  const same = rule !== undefined && JSON.stringify(rule) === JSON.stringify(before);
  const nothing = !before && rule?.then === 'ask' && Object.keys(rule.when).length === 0;
  const waits = !rule || !preview || faults.length > 0 || nothing || same || busy;
  const wrong = rule ? faults.length : Math.max(faults.length, 1);
  const write = (change: Partial<Written>) => {
    const all = { ...written, ...change };
    setWritten(all);
    void keepStored(draftKey(of, before?.name), all).then(() => setSavedAt(Date.now()));
  };
  const leave = () => void keepStored(draftKey(of, before?.name), undefined).then(onCancel);
  const save = async () => {
    if (waits) return;
    setBusy(true);
    const refused = await onSave(rule, preview);
    setBusy(false);
    setProblem(refused);
    if (!refused) await keepStored(draftKey(of, before?.name), undefined);
  };
  const wrongOf = (field: string) =>
    field === 'args' && !rule
      ? [t.notJson]
      : faults
          .filter(({ path }) => fieldOf(path) === field)
          .map((fault) => sentenceOfFault(fault, rule?.when.shell ?? []));
  return (
    <form
      ref={form}
      class="fields editor"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {rule && (
        <p class="saying">
          <Saying rule={rule} nameOf={known.nameOf} />
        </p>
      )}
      <Blanks {...{ written, wrongOf }} {...known} question={before?.when.question} onWrite={write}>
        {preview?.near && (
          <NearOffer
            near={preview.near}
            looked={preview.looked}
            onUse={() => write({ shell: preview.near?.shell.join('\n') ?? '' })}
          />
        )}
      </Blanks>
      <Result {...{ rule, preview, nothing }} />
      <Refused problem={problem} />
      <div class="bar-do">
        <Button look="line" onPress={leave}>
          {t.cancel}
        </Button>
        <Button submit waits={waits} small={wrong > 0 ? c.toCorrect(wrong) : undefined} onPress={() => {}}>
          {t.save}
        </Button>
      </div>
      {savedAt !== undefined && <p class="hint">{c.draftSaved(clockTime(savedAt))}</p>}
    </form>
  );
}

function Result({
  rule,
  preview,
  nothing,
}: {
  rule: Rule | undefined;
  preview: Preview | undefined;
  nothing: boolean;
}) {
  const c = checkWords();
  return (
    <div class="result" role="status">
      {nothing && preview ? (
        <p>
          <b>{c.changesNothing}</b> {c.stillAsks(preview.looked)}
        </p>
      ) : (
        rule && <Previewed then={rule.then} preview={preview} />
      )}
      {preview?.near && <p>{c.nearMisses(preview.near.ids.length)}</p>}
    </div>
  );
}

const CHECKED_AFTER_MS = 400;

/** What the hub says of the rule as it is written, once nothing was typed for a moment. */
function useChecked(
  of: Whose,
  rule: Rule | undefined,
): { preview: Preview | undefined; faults: Pick<Fault, 'path' | 'code' | 'message'>[] } {
  const [shown, show] = useState<
    { key: string; preview?: Preview; faults: Pick<Fault, 'path' | 'code' | 'message'>[] } | undefined
  >();
  const key = JSON.stringify([of, rule]);
  useEffect(() => {
    if (!rule) return undefined;
    let left = false;
    const check = async () => {
      const { ok, problem } = await fetchPreview(of, rule);
      if (left) return;
      if (ok) show({ key, preview: ok, faults: ok.faults });
      else if (problem?.faults) show({ key, faults: problem.faults });
    };
    const timer = setTimeout(() => void check(), CHECKED_AFTER_MS);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [key]);
  return shown?.key === key ? { preview: shown.preview, faults: shown.faults } : { preview: undefined, faults: [] };
}

/** Without a name it has one that says what it is about. */
function named(
  rule: Rule | undefined,
  nameOf: (id: string) => string,
  taken: Rule[],
  before: Rule | undefined,
): Rule | undefined {
  if (!rule) return undefined;
  const whole = { ...rule, ...(before?.off ? ({ off: true } as const) : {}) };
  if (rule.name !== '') return whole;
  const { source, shell, tool, question, kind } = rule.when;
  const about = [shell ?? tool ?? question?.prompt ?? kind ?? ''].flat().join(', ');
  const who = [source ?? []].flat().map(nameOf).join(', ');
  return { ...whole, name: freeName([who, about].filter(Boolean).join(': ') || ruleWords().title, taken) };
}
