import { useState } from 'preact/hooks';
import type { NewSourceReply } from '#shared/wire.ts';
import { CHOICES } from '../connect/choices.ts';
import { MadeKey } from '../connect/MadeKey.tsx';
import { NewKey } from '../connect/NewKey.tsx';
import { Snippets } from '../connect/Snippets.tsx';
import { Mark } from '../ui/Mark.tsx';
import { stepWords } from './words.ts';

/** What is connected, its key and its settings, until its first question has come. */
export function AgentStep() {
  const t = stepWords();
  const [made, setMade] = useState<NewSourceReply | undefined>();
  const [choice, setChoice] = useState(CHOICES[0]);
  const [wayId, setWayId] = useState('');
  const way = choice.ways.find(({ id }) => id === wayId) ?? choice.ways[0];
  return (
    <div class="agent">
      <p>{made ? t.agentKeySay : t.agentSay}</p>
      <Snippets
        choice={choice}
        way={way}
        apiKey={made?.key}
        onPick={(picked, id) => {
          setChoice(picked);
          setWayId(id);
        }}
      />
      <NewKey another={made !== undefined} suggested={choice.name ?? ''} onMade={setMade} />
      {made && <MadeKey key={made.source.id} made={made} />}
      <p class="elsewhere" role="status">
        <Mark name="dots" />
        <span>
          <b>{t.listening}</b> {t.listeningSay}
        </span>
      </p>
    </div>
  );
}
