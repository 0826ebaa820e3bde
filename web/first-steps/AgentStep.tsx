import { suggestedName } from '../connect/choices.ts';
import { Listening } from '../connect/proof/Listening.tsx';
import { MadeKey } from '../connect/MadeKey.tsx';
import { NewKey } from '../connect/NewKey.tsx';
import { Snippets } from '../connect/Snippets.tsx';
import { useConnecting } from '../connect/proof/useConnecting.ts';
import { stepWords } from './words.ts';

/** What is connected, its key and its settings, until its first question has come. */
export function AgentStep() {
  const t = stepWords();
  const connecting = useConnecting();
  const { made, choice, way, make } = connecting;
  return (
    <div class="agent">
      <p>{made ? t.agentKeySay : t.agentSay}</p>
      <Snippets {...connecting} />
      <NewKey another={made !== undefined} suggested={suggestedName(choice, way)} onMade={make} />
      {made && <MadeKey key={made.source.id} made={made} />}
      <Listening {...connecting} />
    </div>
  );
}
