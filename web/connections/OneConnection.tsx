import { useState } from 'preact/hooks';
import type { Connection } from '#shared/connections/connection.ts';
import type { Problem } from '#shared/problem.ts';
import { visible } from '#shared/visible.ts';
import { wrongOrder } from '#shared/connections/timeouts.ts';
import { RefusedHere } from '../app/form/Wrong.tsx';
import { navigate } from '../app/route.ts';
import { Under } from '../connect/Under.tsx';
import { call } from '../live/api.ts';
import { Removal } from '../settings/Removal.tsx';
import { Head } from '../ui/shell/Head.tsx';
import { say } from '../ui/language.ts';
import { Button, Quiet } from '../ui/Button.tsx';
import { Space } from '../ui/sentence/Space.tsx';
import { Contacts } from './contacts/Contacts.tsx';
import { EditConnection } from './form/EditConnection.tsx';
import { GivenAddress, NewAddress, type Shown } from './NewAddress.tsx';
import { Sentence } from './Sentence.tsx';
import { type Connections, standing, useCheck } from './useConnections.ts';
import { words } from './words.ts';
import type { Blank } from './form/written.ts';

type OneProps = Connections & { id: string; shown: Shown | undefined; onShow: (url: string) => void };

/** One connection: what it does, its address, what can be done with it, and its last contacts. */
export function OneConnection({ id, items, problem, read, shown, onShow }: OneProps) {
  const t = say(words);
  const connection = items?.find((one) => one.id === id);
  const check = useCheck(`/v1/connections/${id}/check`);
  const [refused, setRefused] = useState<Problem | undefined>();
  const checkNow = async () => {
    setRefused(await check.run({}));
    await read();
  };
  return (
    <>
      <aside class="side" aria-label={t.title}>
        <Head clauses={connection ? standing(connection).head : [t.title]}>
          <Under here="/connections" />
          {connection && (
            <>
              <p class="lede">{t.kindSay[connection.kind]}</p>
              {connection.kind !== 'inbound' && (
                <div class="bar-do card-do">
                  <Button look="line" waits={check.busy} onPress={() => void checkNow()}>
                    {t.checkNow}
                  </Button>
                </div>
              )}
            </>
          )}
        </Head>
      </aside>
      <main class="page" id="open" aria-busy={!items && !problem ? 'true' : undefined}>
        {(problem || (items && !connection)) && (
          <section class="panel" aria-label={t.title}>
            {problem ? <RefusedHere problem={problem} /> : <p class="say day">{t.unknown}</p>}
            <div class="pageacts">
              {problem && <Quiet onPress={() => void read()}>{t.retry}</Quiet>}
              <a class="quiet" href="/connections">
                <span class="link">{t.all}</span>
              </a>
            </div>
          </section>
        )}
        {connection && (
          <>
            <section class="panel" aria-label={visible(connection.name)}>
              <p class="day" role="status">
                {check.found}
              </p>
              <RefusedHere problem={refused} />
              <About connection={connection} read={read} shown={shown} onShow={onShow} />
            </section>
            <Contacts connection={connection} />
          </>
        )}
      </main>
    </>
  );
}

type AboutProps = Pick<OneProps, 'read' | 'shown' | 'onShow'> & { connection: Connection };

function About({ connection, read, shown, onShow }: AboutProps) {
  const t = say(words);
  const [open, setOpen] = useState<Blank | 'address' | 'removal' | undefined>();
  const [refused, setRefused] = useState<Problem | undefined>();
  const path = `/v1/connections/${connection.id}`;
  const close = () => setOpen(undefined);
  const change = async (body: object) => {
    const reply = await call('PATCH', path, body);
    setRefused(reply.problem);
    await read();
  };
  if (open !== undefined && open !== 'address' && open !== 'removal')
    return (
      <EditConnection
        connection={connection}
        first={open}
        onDone={() => {
          close();
          void read();
        }}
      />
    );
  return (
    <>
      <Sentence connection={connection} onChange={setOpen} />
      {shown ? <GivenAddress key={shown.url} connection={connection} shown={shown} /> : <p class="say">{t.address}</p>}
      <div class="pageacts">
        <Quiet onPress={() => setOpen('address')}>{t.newAddress}</Quiet>
        <Quiet onPress={() => setOpen('apiKey')}>{t.change}</Quiet>
        <Quiet onPress={() => void change({ enabled: !connection.enabled })}>
          {connection.enabled ? t.turnOff : t.turnOn}
        </Quiet>
        <Quiet onPress={() => setOpen('removal')}>{t.remove}</Quiet>
      </div>
      <RefusedHere problem={refused} />
      <WrongOrder connection={connection} onSet={(deadline) => void change({ deadline })} />
      {open === 'address' && <NewAddress path={path} onClose={close} onMade={onShow} />}
      {open === 'removal' && (
        <Removal
          title={t.removeTitle(visible(connection.name))}
          explanation={t.removeSay}
          path={path}
          onClose={close}
          onRemoved={() => {
            navigate('/connections');
            void read();
          }}
        />
      )}
    </>
  );
}

/** Says that the platform gives up before the hub does, and offers a time that fits. */
function WrongOrder({ connection, onSet }: { connection: Connection; onSet: (seconds: number) => void }) {
  const t = say(words);
  const order = wrongOrder(connection.platformLimit, connection.deadline);
  if (!order) return null;
  const { client: platform, hub, device, better } = order;
  return (
    <p class="wrong-order">
      <b>{t.wrongOrder}</b>
      <Space />
      {t.wrongOrderSay(platform, hub, device)}{' '}
      {better !== undefined && <Quiet onPress={() => onSet(better)}>{t.setHub(better)}</Quiet>}
    </p>
  );
}
