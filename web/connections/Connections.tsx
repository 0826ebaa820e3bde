import './connections.css';
import { useState } from 'preact/hooks';
import type { NewConnectionReply } from '#shared/connections/connection.ts';
import { navigate, route } from '../app/route.ts';
import { me } from '../live/session.ts';
import type { Shown } from './NewAddress.tsx';
import { List } from './List.tsx';
import { OneConnection } from './OneConnection.tsx';
import { useConnections } from './useConnections.ts';

/** The owner's connections, or the one that the address names. */
export function Connections() {
  const at = route.value;
  const id = at.page === 'connections' ? at.id : undefined;
  const owner = me.value?.person.owner ?? true;
  const connections = useConnections(owner);
  const [shown, show] = useState<Shown | undefined>();
  if (id === undefined)
    return (
      <List
        {...connections}
        owner={owner}
        onMade={({ connection, url, webhookSecret }: NewConnectionReply) => {
          show({
            id: connection.id,
            url,
            // An answer URL may be added later, when the secret cannot be read any more.
            ...(connection.kind === 'langgraph' ? {} : { secret: webhookSecret }),
          });
          void connections.read();
          navigate(`/connections/${connection.id}`);
        }}
      />
    );
  return (
    <OneConnection
      key={id}
      id={id}
      {...connections}
      shown={shown?.id === id ? shown : undefined}
      onShow={(url) => show({ id, url })}
    />
  );
}
