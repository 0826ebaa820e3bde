import type { Connection } from '#shared/connections/connection.ts';
import { visible } from '#shared/visible.ts';
import { me } from '../live/session.ts';
import { say } from '../ui/language.ts';
import type { Blank } from './form/written.ts';
import { words } from './words.ts';

/** What a connection does, as a sentence; each of its words leads to where it is changed. */
export function Sentence({ connection, onChange }: { connection: Connection; onChange: (blank: Blank) => void }) {
  const t = say(words);
  const { kind, baseUrl, answerUrl, to } = connection;
  const [start, ask, stop] = t.sentence[kind];
  const [send, end] = t.answersTo;
  const [without, full] = t.unasked;
  const asks = kind === 'langgraph' || answerUrl !== undefined;
  const word = (blank: Blank, text: string, after = '') => (
    <span class="tie">
      <button type="button" class="word" aria-label={t.changeWord(text)} onClick={() => onChange(blank)}>
        {text}
      </button>
      {after}
    </span>
  );
  const whom = to.map((handle) => (handle === me.value?.person.handle ? t.you : handle)).join(', ');
  return (
    <p class="sentence">
      {start}
      {baseUrl !== undefined && word('baseUrl', plain(baseUrl), asks ? '' : stop)}
      {asks ? (
        <>
          {ask}
          {word('to', whom || t.nobody, stop)}
        </>
      ) : (
        <>
          {without}
          {word('answerUrl', t.anAnswerUrl, full)}
        </>
      )}
      {answerUrl !== undefined && (
        <>
          {send}
          {word('answerUrl', plain(answerUrl), end)}
        </>
      )}
    </p>
  );
}

function plain(url: string): string {
  return visible(url.replace(/^https:\/\//, ''), true);
}
