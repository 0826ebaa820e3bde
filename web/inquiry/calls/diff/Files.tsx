import './files.css';
import { useSignal } from '@preact/signals';
import { useId, useMemo, useRef } from 'preact/hooks';
import type { Action } from '#shared/inquiry.ts';
import { Icon } from '../../../ui/Icon.tsx';
import { IconButton } from '../../../ui/Button.tsx';
import { UntrustedText } from '../../../ui/UntrustedText.tsx';
import { dialogWords } from '../../words.ts';
import { CopyButton } from '../CopyButton.tsx';
import { type ChangedFile, filesOf, type Hunk as HunkLines, hunksOf } from './files.ts';
import { Hunk } from './Hunk.tsx';

type FilesProps = { at: number; diff: Action['diff']; isSeen: (part: string) => boolean };

/** The files that a call changes, with how much of each; of several the first is open and the others are folded. */
export function Files({ at, diff, isSeen }: FilesProps) {
  const files = useMemo(() => filesOf(diff), [diff]);
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
  const { hunks, added, cut } = useMemo(() => hunksOf(file), [file]);
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
        <b>+{added}</b> −{cut} {folds && seen && <small>{call.seen.mark}</small>}
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

function Body({ hunks }: { hunks: HunkLines[] }) {
  const { call } = dialogWords();
  const now = useSignal(0);
  const drawn = useRef<(HTMLElement | null)[]>([]);
  const changes = hunks.flatMap(({ changes: is }, at) => (is ? [at] : []));
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
      {hunks.map(({ lines }, at) => (
        <div key={at} class="hunk" ref={(element) => void (drawn.current[at] = element)}>
          <Hunk lines={lines} />
        </div>
      ))}
    </>
  );
}
