import { useState } from 'preact/hooks';
import type { Connection, NewConnectionReply } from '#shared/connections/connection.ts';
import { visible } from '#shared/visible.ts';
import { RefusedHere } from '../app/form/Wrong.tsx';
import { Under } from '../connect/Under.tsx';
import { Head } from '../ui/shell/Head.tsx';
import { Icon } from '../ui/Icon.tsx';
import { language, say } from '../ui/language.ts';
import { Button, Quiet } from '../ui/Button.tsx';
import { capital, countWord } from '../ui/times.ts';
import { Space } from '../ui/sentence/Space.tsx';
import { EditConnection } from './form/EditConnection.tsx';
import { type Connections, standing } from './useConnections.ts';
import { words } from './words.ts';

type ListProps = Connections & { owner: boolean; onMade: (made: NewConnectionReply) => void };

/** Every connection, and the form for another one. */
export function List({ items, problem, read, owner, onMade }: ListProps) {
  const t = say(words);
  const [adding, setAdding] = useState(false);
  const count = items?.length;
  const head =
    count === undefined
      ? t.title
      : count === 0
        ? t.noneHead
        : capital(t.count(countWord(count, language.value), count === 1));
  const listed = count === undefined ? problem !== undefined : count > 0 || !adding;
  return (
    <>
      <aside class="side" aria-label={t.title}>
        <Head clauses={[head]}>
          <Under here="/connections" />
          <p class="lede">{owner ? t.lede : t.ownerOnly}</p>
          {owner && !adding && (
            <div class="bar-do card-do">
              <Button look="line" onPress={() => setAdding(true)}>
                {t.add}
              </Button>
            </div>
          )}
        </Head>
      </aside>
      <main class="page" id="open" aria-busy={owner && !items && !problem ? 'true' : undefined}>
        {adding && (
          <section class="panel" aria-label={t.add}>
            <h2>{t.add}</h2>
            <EditConnection connection={undefined} onDone={(made) => (made ? onMade(made) : setAdding(false))} />
          </section>
        )}
        {owner && listed && (
          <section class="panel" aria-label={t.title}>
            {problem && (
              <>
                <RefusedHere problem={problem} />
                <div class="pageacts">
                  <Quiet onPress={() => void read()}>{t.retry}</Quiet>
                </div>
              </>
            )}
            <h2 class="sr">{t.title}</h2>
            {items?.length === 0 && <p class="say day">{t.none}</p>}
            <ul class="rows">
              {items?.map((connection) => (
                <Row key={connection.id} connection={connection} />
              ))}
            </ul>
          </section>
        )}
      </main>
    </>
  );
}

function Row({ connection }: { connection: Connection }) {
  const t = say(words);
  const { clause, wrong } = standing(connection);
  return (
    <li>
      <Icon name="plug" />
      <div>
        <h3>
          <a class="link" href={`/connections/${connection.id}`}>
            <bdi>{visible(connection.name)}</bdi>
          </a>
        </h3>
        <p>
          {t.stands(t.kinds[connection.kind], clause)}
          <Space />
          {wrong && <b>{wrong}</b>}
        </p>
      </div>
    </li>
  );
}
