import { useId, useState } from 'preact/hooks';
import type { Language } from '#shared/texts/language.ts';
import type { Problem } from '#shared/problem.ts';
import { type OutcomeTextName, TEXTS, unknownVariables, VARIABLES, writeOutcome } from '#shared/texts/outcomes.ts';
import type { OutcomeTexts, Source } from '#shared/wire.ts';
import type { By } from '#shared/answer.ts';
import { Choice } from '../../app/form/Form.tsx';
import { RowAct } from '../../app/form/RowAct.tsx';
import { Refused } from '../../app/form/Wrong.tsx';
import { call } from '../../live/api.ts';
import { say } from '../../ui/language.ts';
import { Lines } from '../../ui/Lines.tsx';
import { Button } from '../../ui/Button.tsx';
import { words } from './words.ts';

type AgentTextsProps = { source: Source; onSaved: (source: Source) => void };

/** What the agent of a source is told at each end: the hub's own words, or those that are written over them. */
export function AgentTexts({ source, onSaved }: AgentTextsProps) {
  const t = say(words);
  const [locale, setLocale] = useState<Language>(source.locale ?? 'en');
  const [own, setOwn] = useState(source.texts ?? {});
  const [problem, setProblem] = useState<Problem | undefined>();
  const [saved, setSaved] = useState(false);
  const write = (texts: typeof own) => {
    setOwn(texts);
    setSaved(false);
  };
  const without = (name: OutcomeTextName) => {
    const { [name]: _gone, ...rest } = own;
    return rest;
  };
  const save = async () => {
    const texts = Object.fromEntries(Object.entries(own).filter(([, text = '']) => text.trim() !== ''));
    const reply = await call<Source>('PATCH', `/v1/sources/${source.id}`, {
      locale,
      texts: Object.keys(texts).length > 0 ? texts : null,
    });
    setProblem(reply.problem);
    setSaved(reply.problem === undefined);
    if (reply.ok) onSaved(reply.ok);
  };
  return (
    <>
      <h2>{t.texts}</h2>
      <p class="say">{t.textsSay}</p>
      <form
        class="fields"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Choice
          label={t.locale}
          value={locale}
          words={{ en: 'English', zh: '中文' }}
          onPick={(picked) => {
            setLocale(picked);
            setSaved(false);
          }}
        />
        {(Object.keys(VARIABLES) as OutcomeTextName[]).map((name) => (
          <OneText
            key={name}
            name={name}
            own={own[name]}
            locale={locale}
            onWrite={(text) => write(text === TEXTS[locale][name] ? without(name) : { ...own, [name]: text })}
            onReset={() => write(without(name))}
          />
        ))}
        <Refused problem={problem} />
        <p class="hint" role="status">
          {saved && t.saved}
        </p>
        <div class="bar-do">
          <Button submit onPress={() => {}}>
            {t.save}
          </Button>
        </div>
      </form>
    </>
  );
}

type OneTextProps = {
  name: OutcomeTextName;
  own: string | undefined;
  locale: Language;
  onWrite: (text: string) => void;
  onReset: () => void;
};

function OneText({ name, own, locale, onWrite, onReset }: OneTextProps) {
  const t = say(words);
  const id = useId();
  const text = own ?? TEXTS[locale][name];
  const inBraces = (names: readonly string[]) => names.map((one) => `{${one}}`).join(t.comma);
  const unknown = unknownVariables(name, text);
  return (
    <>
      <label class="label" for={id}>
        {t.ends[name]}
      </label>
      <Lines
        id={id}
        rows={2}
        value={text}
        suggested={own === undefined}
        placeholder={TEXTS[locale][name]}
        lang={own === undefined ? locale : undefined}
        wrong={unknown.length > 0}
        describedBy={`${id}v`}
        onWrite={onWrite}
      />
      <p
        class={`hint${unknown.length > 0 ? ' is-wrong' : ''}`}
        id={`${id}v`}
        role={unknown.length > 0 ? 'alert' : undefined}
      >
        {unknown.length > 0 && `${t.cannotName(inBraces(unknown))} `}
        {t.canName(inBraces(VARIABLES[name]))}
      </p>
      <p class="hint reads">
        {t.reads}{' '}
        <span lang={locale}>
          {writeOutcome(example(name, locale, text.trim() === '' ? {} : { [name]: text })).text}
        </span>
      </p>
      {own !== undefined && <RowAct word={t.reset} about={t.resetOf(t.ends[name])} onPress={onReset} />}
    </>
  );
}

const SAID = {
  en: {
    title: 'Which city?',
    answer: 'Hangzhou',
    refused: 'Not now.',
    found: 'Found it.',
    rule: 'Nights',
    decider: 'Helper',
  },
  zh: {
    title: '哪个城市？',
    answer: '杭州',
    refused: '现在不方便。',
    found: '已经查到。',
    rule: '夜间',
    decider: '小助手',
  },
};

/** An end as an agent could meet it, for each text. */
function example(name: OutcomeTextName, language: Language, texts: OutcomeTexts): Parameters<typeof writeOutcome>[0] {
  const { title, answer, refused, found, rule, decider } = SAID[language];
  const by: Record<OutcomeTextName, By> = {
    declined: { kind: 'person', handle: 'mara', device: { id: '', name: '' }, via: 'live' },
    expired: { kind: 'deadline', label: '' },
    withdrawn: { kind: 'source', label: '' },
    youDecide: { kind: 'policy', label: rule, ruleId: '' },
    byRule: { kind: 'policy', label: rule, ruleId: '' },
    byDecider: { kind: 'decider', label: decider, deciderId: '' },
  };
  const ends = {
    declined: { outcome: 'declined', message: refused },
    expired: { outcome: 'expired' },
    withdrawn: { outcome: 'withdrawn', message: found },
    youDecide: { outcome: 'declined' },
    byRule: { outcome: 'answered', answer: { text: answer } },
    byDecider: { outcome: 'answered', answer: { text: answer } },
  } as const;
  return {
    asked: { title, prompt: title },
    resolution: { ...ends[name], by: by[name] },
    how: name === 'youDecide' ? 'you-decide' : undefined,
    language,
    texts,
    deadlineAt: '2026-11-23T09:00:00.000Z',
  };
}
