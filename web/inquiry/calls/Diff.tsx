import './code.css';
import { useSignal } from '@preact/signals';
import { useId, useMemo, useRef } from 'preact/hooks';
import type { Action } from '#shared/inquiry.ts';
import { visible } from '#shared/visible.ts';
import { Icon } from '../../ui/Icon.tsx';
import { IconButton } from '../../ui/Button.tsx';
import { UntrustedText } from '../../ui/UntrustedText.tsx';
import { say } from '../../ui/language.ts';
import { dialogWords } from '../words.ts';
import { seenWords } from './Below.tsx';
import { CopyButton } from './CopyButton.tsx';
import {
  type ChangedFile,
  changedPart,
  counterparts,
  cutHunks,
  cutLines,
  type DiffLine,
  toFiles,
  type Hunk as HunkLines,
  toHunks,
} from './diff.ts';
import { fold } from './arguments.ts';
import { parseActs, parseBlocks, type FileAct } from './patch.ts';

type FilesProps = { at: number; diff: Action['diff']; isSeen: (part: string) => boolean };

/** The files that a call changes, with how much of each; of several the first is open and the others are folded. */
export function Files({ at, diff, isSeen }: FilesProps) {
  const files = useMemo(() => toFiles(diff), [diff]);
  return (
    <>
      {files.map((file, place) => {
        const part = `${at}.file.${place}`;
        return (
          <File key={part} {...{ file, part }} folds={files.length > 1} opened={place === 0} seen={isSeen(part)} />
        );
      })}
    </>
  );
}

type FileProps = { file: ChangedFile; part: string; folds: boolean; opened: boolean; seen: boolean };

function File({ file, part, folds, opened, seen }: FileProps) {
  const { call } = dialogWords();
  const open = useSignal(opened);
  const { hunks, added, cut } = useMemo(() => toHunks(file), [file]);
  const id = useId();
  const lines = hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  const name = (
    <>
      <span class="file-name">
        <code>
          <UntrustedText exact text={file.path} />
        </code>
        {file.isNew && `, ${call.newFile}`}
      </span>
      <span class="file-count">
        <b>+{added}</b> −{cut} {folds && seen && <small>{seenWords().mark}</small>}
      </span>
    </>
  );
  return (
    <figure class="call-card file" data-part={part}>
      <figcaption>
        {folds ? (
          <button
            type="button"
            class="file-fold"
            aria-expanded={open.value}
            aria-controls={id}
            data-lines={open.value ? undefined : lines}
            onClick={() => (open.value = !open.value)}
          >
            <Icon name="next" />
            {name}
          </button>
        ) : (
          name
        )}
        {open.value && <CopyButton text={file.stretches.map(({ newText }) => newText).join('\n')} />}
      </figcaption>
      <div class="diff" id={id} hidden={!open.value}>
        {open.value && <Body hunks={hunks} />}
      </div>
    </figure>
  );
}

/** Past so many an element for each line would keep the page from answering. */
const LINES_MAX = 2000;

/** The lines past those, as text with their marks. */
function Rest({ text }: { text: string }) {
  return text === '' ? null : <span>{visible(text, true)}</span>;
}

function Body({ hunks }: { hunks: HunkLines[] }) {
  const { call } = dialogWords();
  const now = useSignal(0);
  const drawn = useRef<(HTMLElement | null)[]>([]);
  const [drawnHunks, rest] = useMemo(() => cutHunks(hunks, LINES_MAX), [hunks]);
  const changes = drawnHunks.flatMap(({ changes: is }, at) => (is ? [at] : []));
  const show = (by: number) => () => {
    now.value = (now.value + by + changes.length) % changes.length;
    drawn.current[changes[now.value] ?? 0]?.scrollIntoView({ block: 'start', behavior: 'instant' });
  };
  return (
    <>
      {changes.length > 1 && (
        <div class="changes">
          <span role="status">{call.change(now.value + 1, changes.length)}</span>
          <IconButton name="up" label={call.previous} onPress={show(-1)} />
          <IconButton name="down" label={call.next} onPress={show(1)} />
        </div>
      )}
      {drawnHunks.map(({ lines }, at) => (
        <div key={at} class="hunk" ref={(element) => void (drawn.current[at] = element)}>
          <Hunk lines={lines} />
        </div>
      ))}
      <Rest text={rest} />
    </>
  );
}

/** Lines of a patch as proof marks: cut ones struck, new ones with a plus, the words that changed marked in both; what is folded says how much. */
function Hunk({ lines }: { lines: DiffLine[] }) {
  const others = useMemo(() => counterparts(lines), [lines]);
  return (
    <>
      {lines.map((line, at) => (
        <Line key={at} line={line} other={others[at]} />
      ))}
    </>
  );
}

function Line({ line, other }: { line: DiffLine; other: string | undefined }) {
  switch (line.kind) {
    case 'same':
      return <span>{<UntrustedText exact text={line.text} />}</span>;
    case 'cut':
      return (
        <del>
          <Changed text={line.text} other={other} />
        </del>
      );
    case 'add':
      return (
        <ins>
          <Changed text={line.text} other={other} />
        </ins>
      );
    case 'alike':
      return <Alike lines={line.lines} />;
  }
}

function Changed({ text, other }: { text: string; other: string | undefined }) {
  const parts = other === undefined ? undefined : changedPart(other, text);
  if (!parts) return <UntrustedText exact text={text} />;
  return (
    <>
      <UntrustedText exact text={parts.head} />
      <u>
        <UntrustedText exact text={parts.changed} />
      </u>
      <UntrustedText exact text={parts.tail} />
    </>
  );
}

function Alike({ lines }: { lines: string[] }) {
  const words = dialogWords();
  const open = useSignal(false);
  if (open.value) return <span>{<UntrustedText exact text={lines.join('\n')} />}</span>;
  return (
    <button type="button" class="gap" onClick={() => (open.value = true)}>
      {words.call.alike(lines.length)}
    </button>
  );
}

const words = {
  en: { add: 'New file', change: 'Changes', delete: 'Deletes the file', move: 'Moves', to: 'to' },
  zh: { add: '新建文件', change: '修改', delete: '删除文件', move: '移动', to: '到' },
};

/** Which files a patch that stands in an argument changes, deletes and moves. */
export function PatchActs({ text }: { text: string }) {
  const acts = useMemo(() => parseActs(text), [text]);
  return (
    <ul class="patch-acts">
      {acts.map((act, at) => (
        <li key={at} class={act.does === 'delete' ? 'is-delete' : undefined}>
          <Act act={act} />
        </li>
      ))}
    </ul>
  );
}

/** Each line of such a patch with its mark. */
export function PatchLines({ text, whole }: { text: string; whole: boolean }) {
  const { call } = dialogWords();
  const open = useSignal(false);
  const { head, lines, characters } = useMemo(() => fold(text), [text]);
  const folded = !whole && !open.value && head.length < text.length;
  const [first, rest] = useMemo(() => cutLines(folded ? head : text, LINES_MAX), [folded, head, text]);
  const blocks = useMemo(() => parseBlocks(first), [first]);
  return (
    <>
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
        <Rest text={rest} />
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
