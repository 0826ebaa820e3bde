import { useEffect, useRef, useState } from 'preact/hooks';
import type { Connection } from '#shared/connections/connection.ts';
import type { Contact } from '#shared/connections/contact.ts';
import { visible } from '#shared/visible.ts';
import type { Problem } from '#shared/problem.ts';
import { whenIs } from '../../app/clock.ts';
import { RefusedHere } from '../../app/form/Wrong.tsx';
import { language, say } from '../../ui/language.ts';
import { Quiet } from '../../ui/Button.tsx';
import { UntrustedText } from '../../ui/UntrustedText.tsx';
import { lasting } from '../../ui/times.ts';
import { call } from '../../live/api.ts';
import { words } from '../words.ts';
import { contactWords } from './contactWords.ts';

/** When a connection was last in touch with its platform, what about, and what came of it. */
export function Contacts({ connection }: { connection: Connection }) {
  const t = { ...say(words), ...say(contactWords) };
  const { items, problem, again, earlier } = useContacts(connection);
  return (
    <section class="panel" aria-labelledby="contacts" aria-busy={!items && !problem ? 'true' : undefined}>
      <h2 class="day" id="contacts">
        {t.lastContacts}
      </h2>
      {items?.length === 0 && <p class="say">{t.noContacts}</p>}
      {items && items.length > 0 && (
        <table class="tries">
          <thead>
            <tr>
              <th scope="col">{t.time}</th>
              <th scope="col">{t.what}</th>
              <th scope="col">{t.result}</th>
            </tr>
          </thead>
          <tbody>
            {items.map((contact) => (
              <Row key={contact.id} contact={contact} />
            ))}
          </tbody>
        </table>
      )}
      <RefusedHere problem={problem} />
      <div class="pageacts">
        {problem && <Quiet onPress={again}>{t.retry}</Quiet>}
        {earlier && !problem && <Quiet onPress={earlier}>{t.earlier}</Quiet>}
      </div>
    </section>
  );
}

function Row({ contact: { at, what, status, ms, problem, inquiries } }: { contact: Contact }) {
  const t = say(contactWords);
  const took = ms < 1000 ? `${ms} ms` : lasting(ms, language.value);
  const result = problem?.code === 'upstream.broke_off' ? t.ended : (status ?? (problem ? t.failed : t.fine));
  return (
    <tr>
      <td>
        <time dateTime={at}>{whenIs(at)}</time>
      </td>
      <td class="q">
        {inquiries.length === 0 && t.none[what]}
        {inquiries.map(({ id, text, outcome, answer }) => (
          <div key={id}>
            <a class="link" href={`/i/${id}`}>
              {text === undefined ? t.ownQuestion : <UntrustedText text={text} />}
            </a>
            <small>
              {t.outcome[outcome ?? 'open']} {answer && t.answer[answer.state](answer.attemptCount)}
            </small>
          </div>
        ))}
        <small>
          {t.took[what](took)} {problem && visible(t.troubles[problem.code] ?? problem.detail)}
        </small>
      </td>
      <td>{problem ? <b>{result}</b> : result}</td>
    </tr>
  );
}

type Page = { items: Contact[]; nextCursor?: string };

/** The last contacts of a connection, newest first; read again with the connection, earlier pages on request. */
function useContacts(connection: Connection) {
  const [items, setItems] = useState<Contact[] | undefined>();
  const [cursor, setCursor] = useState<string | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const readings = useRef(0);
  const read = async (from?: string) => {
    const reading = from === undefined ? ++readings.current : 0;
    const query = from === undefined ? '' : `?cursor=${from}`;
    const { ok, problem: refused } = await call<Page>('GET', `/v1/connections/${connection.id}/contacts${query}`);
    // One of the newest that was begun later knows more.
    if (from === undefined && reading !== readings.current) return;
    setProblem(refused);
    if (!ok) return;
    if (from !== undefined || items === undefined) setCursor(ok.nextCursor);
    setItems((before = []) =>
      from === undefined ? [...ok.items, ...olderThan(ok.items, before)] : [...before, ...olderThan(before, ok.items)],
    );
  };
  useEffect(() => void read(), [connection]);
  return { items, problem, again: () => void read(), earlier: cursor && (() => void read(cursor)) };
}

function olderThan(newer: Contact[], contacts: Contact[]): Contact[] {
  const last = newer.at(-1)?.id ?? '';
  return contacts.filter(({ id }) => id < last);
}
