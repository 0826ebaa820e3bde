import './files.css';
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { say } from '../../../ui/language.ts';
import { UntrustedText } from '../../../ui/UntrustedText.tsx';
import { dialogWords } from '../../words.ts';
import { fold } from '../code/fold.ts';
import { Hunk } from './Hunk.tsx';
import { actsOf, blocksOf, type FileAct } from './patch.ts';

const words = {
  en: { add: 'New file', change: 'Changes', delete: 'Deletes the file', move: 'Moves', to: 'to' },
  zh: { add: '新建文件', change: '修改', delete: '删除文件', move: '移动', to: '到' },
};

/** A patch that stands in an argument: which files it changes, deletes and moves, and each of its lines with its mark. */
export function Patch({ text, whole }: { text: string; whole: boolean }) {
  const { call } = dialogWords();
  const open = useSignal(false);
  const { head, lines, characters } = useMemo(() => fold(text), [text]);
  const folded = !whole && !open.value && head.length < text.length;
  const acts = useMemo(() => actsOf(text), [text]);
  const blocks = useMemo(() => blocksOf(folded ? head : text), [folded, head, text]);
  return (
    <>
      <ul class="patch-acts">
        {acts.map((act, at) => (
          <li key={at} class={act.does === 'delete' ? 'is-delete' : undefined}>
            <Act act={act} />
          </li>
        ))}
      </ul>
      <div class="diff">
        {blocks.map((block, at) =>
          'head' in block ? (
            <code key={at} class="patch-head">
              <UntrustedText exact text={block.head} />
            </code>
          ) : (
            <div key={at} class="hunk">
              <Hunk lines={block.lines} />
            </div>
          ),
        )}
      </div>
      {folded && (
        <button type="button" class="fold" data-lines={lines} onClick={() => (open.value = true)}>
          {call.below(lines, characters)}
        </button>
      )}
    </>
  );
}

function Act({ act }: { act: FileAct }) {
  const t = say(words);
  const path = (text: string) => (
    <code>
      <UntrustedText exact text={text} />
    </code>
  );
  return (
    <>
      {t[act.does]} {path(act.path)}
      {act.does === 'move' && (
        <>
          {' '}
          {t.to} {path(act.to)}
        </>
      )}
    </>
  );
}
