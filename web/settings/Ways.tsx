import { useEffect, useRef, useState } from 'preact/hooks';
import type { AskingSource } from '#shared/history.ts';
import type { ChangePreferences } from '#shared/preferences.ts';
import { visible } from '#shared/visible.ts';
import { call } from '../live/api.ts';
import { ownWays, preferred, type Preferred } from '../live/preferences.ts';
import { Word } from '../ui/Field.tsx';
import { say } from '../ui/language.ts';
import { Quiet } from '../ui/Button.tsx';
import { Tied } from '../ui/sentence/Space.tsx';

type Change = Pick<ChangePreferences, keyof Preferred>;
type WaysProps = { asking: AskingSource[]; onChange: (change: ChangePreferences) => void };

/** How this person wants to be asked, as sentences: everywhere, and for single sources. */
export function Ways({ asking, onChange }: WaysProps) {
  const t = say(wayWords);
  const [begun, begin] = useState<readonly string[]>(named);
  const first = useRef<HTMLHeadingElement>(null);
  useEffect(() => first.current?.scrollIntoView({ block: 'center' }), []);
  const own = ownWays.value;
  const listed = [...new Set([...Object.keys(own), ...begun])];
  const nameOf = (id: string) => visible(asking.find((source) => source.id === id)?.name ?? id);
  const others = asking.filter(({ id }) => !listed.includes(id));
  return (
    <section class="panel" aria-label={t.head}>
      <h2 class="day">{t.head}</h2>
      <Sentence chosen={preferred.value} onPick={onChange} />
      <p class="say">{t.say}</p>
      {listed.map((id) => (
        <div class="way" key={id}>
          <h3 class="day" ref={named().includes(id) ? first : null}>
            {t.from(nameOf(id))}
          </h3>
          <Sentence
            chosen={own[id] ?? {}}
            source={nameOf(id)}
            onPick={(change) => onChange({ sources: { [id]: change } })}
          />
          <p class="say">
            <Quiet
              label={t.backOf(nameOf(id))}
              onPress={() => {
                begin(begun.filter((one) => one !== id));
                if (own[id]) onChange({ sources: { [id]: null } });
              }}
            >
              {t.back}
            </Quiet>
          </p>
        </div>
      ))}
      {others.length > 0 && (
        <p class="sentence sentence--more">
          {t.other}{' '}
          <Word
            label={t.which}
            value=""
            options={[['', t.choose], ...others.map(({ id, name }) => [id, visible(name)] as const)]}
            onPick={(id) => id !== '' && begin([...begun, id])}
          />
        </p>
      )}
    </section>
  );
}

const SECONDS = Array.from({ length: 11 }, (_, seconds) => seconds);

type SentenceProps = {
  chosen: Partial<{ [Name in keyof Preferred]: Preferred[Name] | undefined }>;
  source?: string;
  onPick: (change: Change) => void;
};

function Sentence({ chosen, source, onPick }: SentenceProps) {
  const t = say(wayWords);
  const [show, set, open, done, once, stop] = t.sentence;
  const labelOf = (name: keyof Preferred) => (source === undefined ? t.names[name] : t.namesOf(source, t.names[name]));
  // For one source, each choice may also be left to what holds everywhere.
  const listChoices = <V extends string>(words: Record<V, string>) =>
    (Object.entries(words) as [V, string][]).filter(([value]) => source !== undefined || value !== '');
  const confirm = chosen.confirm === undefined ? '' : chosen.confirm ? 'yes' : 'no';
  return (
    <p class="sentence">
      {show}
      <Tied text={set}>
        <Word
          label={labelOf('questions')}
          value={chosen.questions ?? ''}
          options={listChoices(t.questions)}
          onPick={(questions) => onPick({ questions: questions || null })}
        />
      </Tied>
      <Tied text={open}>
        <Word
          label={labelOf('density')}
          value={chosen.density ?? ''}
          options={listChoices(t.density)}
          onPick={(density) => onPick({ density: density || null })}
        />
      </Tied>
      <Tied text={done}>
        <Word
          label={labelOf('editor')}
          value={chosen.editor ?? ''}
          options={listChoices(t.editor)}
          onPick={(editor) => onPick({ editor: editor || null })}
        />
      </Tied>
      <Tied text={once}>
        <Word
          label={labelOf('confirm')}
          value={confirm}
          options={listChoices(t.confirm)}
          onPick={(again) => onPick({ confirm: again === '' ? null : again === 'yes' })}
        />
      </Tied>
      <Tied text={stop}>
        <Word
          label={labelOf('undoSeconds')}
          value={chosen.undoSeconds === undefined ? '' : String(chosen.undoSeconds)}
          options={[
            ...(source === undefined ? [] : [['', t.asEverywhere] as const]),
            ...SECONDS.map((count) => [String(count), t.seconds(count)] as const),
          ]}
          onPick={(seconds) => onPick({ undoSeconds: seconds === '' ? null : Number(seconds) })}
        />
      </Tied>
    </p>
  );
}

// The source that the address names: somebody comes from one of its inquiries.
function named(): string[] {
  const id = location.hash.slice(1);
  return id.startsWith('src_') ? [id] : [];
}

/** The sources that ask this person, once they are read; none where they cannot be. */
export function useAsking(): AskingSource[] | undefined {
  const [asking, setAsking] = useState<AskingSource[] | undefined>();
  useEffect(() => {
    void call<{ items: AskingSource[] }>('GET', '/v1/people/me/sources').then((reply) =>
      setAsking(reply.ok?.items ?? []),
    );
  }, []);
  return asking;
}

const en = {
  head: 'When I answer',
  sentence: [
    'Show ',
    ', set ',
    ', open documents ',
    ', and when I have answered ',
    '. An answer other than a plain approval ',
    '.',
  ],
  from: (source: string) => `From ${source}`,
  names: { questions: 'Questions', density: 'Spacing', editor: 'Documents', confirm: 'Sending', undoSeconds: 'Undo' },
  namesOf: (source: string, name: string) => `${name}, from ${source}`,
  questions: { one: 'one question at a time', all: 'all questions at once', '': 'questions as everywhere' },
  density: { roomy: 'roomy', compact: 'compact', '': 'as everywhere' },
  editor: { rich: 'as a page', plain: 'as plain text', '': 'as everywhere' },
  confirm: { no: 'send it at once', yes: 'ask me again', '': 'do as everywhere' },
  seconds: (count: number) =>
    count === 0 ? 'is sent at once' : `can be undone for ${count} ${count === 1 ? 'second' : 'seconds'}`,
  asEverywhere: 'does as everywhere',
  say: 'This holds on all your devices.',
  other: 'A different setting for',
  which: 'Which source?',
  choose: 'choose a source',
  back: 'As everywhere',
  backOf: (source: string) => `As everywhere for ${source}`,
};

const zh: typeof en = {
  head: '答复方式',
  sentence: ['一次显示', '，间距', '，文档', '打开，答复后', '。除直接批准外，答复后', '。'],
  from: (source) => `来自 ${source} 的`,
  names: { questions: '问题', density: '间距', editor: '文档', confirm: '发送', undoSeconds: '撤销' },
  namesOf: (source, name) => `来自 ${source} 的${name}`,
  questions: { one: '一个问题', all: '全部问题', '': '照常的问题' },
  density: { roomy: '宽松', compact: '紧凑', '': '照常' },
  editor: { rich: '按页面', plain: '按纯文本', '': '照常' },
  confirm: { no: '直接发送', yes: '先确认再发送', '': '照常' },
  seconds: (count) => (count === 0 ? '立即发送' : `${count} 秒内可以撤销`),
  asEverywhere: '照常',
  say: '对你的所有设备有效。',
  other: '单独设置某个来源',
  which: '哪个来源？',
  choose: '选一个来源',
  back: '照常',
  backOf: (source) => `${source} 也照常`,
};

const wayWords = { en, zh };
