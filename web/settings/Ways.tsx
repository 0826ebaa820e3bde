import { useEffect, useState } from 'preact/hooks';
import type { AskingSource } from '#shared/history.ts';
import type { ChangePreferences } from '#shared/preferences.ts';
import { visible } from '#shared/visible.ts';
import { call } from '../live/api.ts';
import { ownWays, preferred, type Preferred } from '../live/preferences.ts';
import { Quiet } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { say } from '../ui/language.ts';
import { SettingChoice, SettingRow, SettingRows } from '../ui/SettingRows.tsx';

type Change = Pick<ChangePreferences, keyof Preferred>;
type WaysProps = { asking: AskingSource[]; onChange: (change: ChangePreferences) => void };

/** The sources that this person is asked by in a way of their own, each a row that opens what differs. */
export function Ways({ asking, onChange }: WaysProps) {
  const t = say(wayWords);
  const [opened, open] = useState(named);
  const own = ownWays.value;
  const nameOf = (id: string) => visible(asking.find((source) => source.id === id)?.name ?? id);
  const others = asking.filter(({ id }) => !(id in own));
  if (asking.length === 0 && Object.keys(own).length === 0) return null;
  return (
    <SettingRows
      title={t.head}
      below={
        opened !== undefined && (
          <OneSource id={opened} name={nameOf(opened)} onChange={onChange} onClose={() => open(undefined)} />
        )
      }
    >
      {Object.entries(own).map(([id, way]) => (
        <SettingRow
          key={id}
          name={nameOf(id)}
          value={t.differs(Object.values(way).filter((value) => value !== undefined).length)}
          opens={() => open(id)}
        />
      ))}
      {others.length > 0 && (
        <SettingChoice
          name={t.other}
          label={t.which}
          value=""
          options={[['', t.choose], ...others.map(({ id, name }) => [id, visible(name)] as const)]}
          onPick={(id) => id !== '' && open(id)}
        />
      )}
    </SettingRows>
  );
}

type OneSourceProps = {
  id: string;
  name: string;
  onChange: (change: ChangePreferences) => void;
  onClose: () => void;
};

function OneSource({ id, name, onChange, onClose }: OneSourceProps) {
  const t = say(wayWords);
  return (
    <Dialog title={t.from(name)} onClose={onClose}>
      <ul class="sets">
        <WayRows source={{ id, name }} onChange={(change) => onChange({ sources: { [id]: change } })} />
      </ul>
      <Quiet
        label={t.backOf(name)}
        onPress={() => {
          if (ownWays.peek()[id]) onChange({ sources: { [id]: null } });
          onClose();
        }}
      >
        {t.back}
      </Quiet>
    </Dialog>
  );
}

const SECONDS = Array.from({ length: 11 }, (_, seconds) => seconds);

type WayRowsProps = { source?: { id: string; name: string }; onChange: (change: Change) => void };

/** How this person is asked, a row each: everywhere, or by one source, which may also leave it to what holds everywhere. */
export function WayRows({ source, onChange }: WayRowsProps) {
  const t = say(wayWords);
  const chosen: Partial<Preferred> = source ? (ownWays.value[source.id] ?? {}) : preferred.value;
  const row = (name: keyof Preferred, words: Record<string, string>, pick: (value: string) => Change) => (
    <SettingChoice
      name={t.names[name]}
      hint={!source && name === 'undoSeconds' ? t.undoSay : undefined}
      label={source && t.namesOf(source.name, t.names[name])}
      value={String(chosen[name] ?? '')}
      options={[...(source ? [['', t.asEverywhere] as const] : []), ...Object.entries(words)]}
      onPick={(value) => onChange(value === '' ? { [name]: null } : pick(value))}
    />
  );
  const seconds = Object.fromEntries(SECONDS.map((count) => [String(count), t.seconds(count)]));
  return (
    <>
      {row('density', t.density, (density) => ({ density: density as Preferred['density'] }))}
      {row('questions', t.questions, (questions) => ({ questions: questions as Preferred['questions'] }))}
      {row('editor', t.editor, (editor) => ({ editor: editor as Preferred['editor'] }))}
      {row('confirm', t.confirm, (confirm) => ({ confirm: confirm === 'true' }))}
      {row('readToEnd', t.readToEnd, (toEnd) => ({ readToEnd: toEnd === 'true' }))}
      {row('undoSeconds', seconds, (count) => ({ undoSeconds: Number(count) }))}
    </>
  );
}

// The source that the address names: somebody comes from one of its inquiries.
function named(): string | undefined {
  const id = location.hash.slice(1);
  return id.startsWith('src_') ? id : undefined;
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
  head: 'Single sources',
  names: {
    questions: 'Several questions',
    density: 'Spacing',
    editor: 'Documents',
    confirm: 'Before sending',
    undoSeconds: 'Time to undo',
    readToEnd: 'Files, before approving',
  },
  namesOf: (source: string, name: string) => `${name}, from ${source}`,
  questions: { one: 'One at a time', all: 'All at once' },
  density: { roomy: 'Roomy', compact: 'Compact' },
  editor: { rich: 'As a page', plain: 'As plain text' },
  confirm: { false: 'Send at once', true: 'Ask again' },
  readToEnd: { false: 'See their heads', true: 'Always to the end' },
  undoSay: 'for rejects, choices, texts, selections and cautions',
  seconds: (count: number) => (count === 0 ? 'none' : `${count} s`),
  asEverywhere: 'As everywhere',
  from: (source: string) => `Settings for ${source}`,
  differs: (count: number) => `${count} ${count === 1 ? 'change' : 'changes'}`,
  other: 'Another source',
  which: 'Which source?',
  choose: 'Choose',
  back: 'As everywhere',
  backOf: (source: string) => `As everywhere for ${source}`,
};

const zh: typeof en = {
  head: '单个来源',
  names: {
    questions: '多个问题',
    density: '间距',
    editor: '文档',
    confirm: '发送前',
    undoSeconds: '撤销时限',
    readToEnd: '批准前看文件',
  },
  namesOf: (source, name) => `来自 ${source} 的${name}`,
  questions: { one: '逐题作答', all: '一次看完' },
  density: { roomy: '宽松', compact: '紧凑' },
  editor: { rich: '按页面', plain: '按纯文本' },
  confirm: { false: '直接发送', true: '再确认一次' },
  readToEnd: { false: '看到开头', true: '总是看到末尾' },
  undoSay: '用于拒绝、选择、文字、批量和慎重的调用',
  seconds: (count) => (count === 0 ? '无' : `${count} 秒`),
  asEverywhere: '照常',
  from: (source) => `${source} 的设置`,
  differs: (count) => `${count} 处不同`,
  other: '其他来源',
  which: '哪个来源？',
  choose: '选择',
  back: '照常',
  backOf: (source) => `${source} 也照常`,
};

const wayWords = { en, zh };
