import { snippets } from 'virtual:snippets';
import { commandLine, opensElsewhere } from '../devices/opens-elsewhere.ts';
import { say } from '../ui/language.ts';
import { type Choice, CHOICES, COMMAND_HERE, fill, type Place, suggestedName, type Way } from './choices.ts';
import { CopyLine } from './CopyLine.tsx';
import { readClient, toKey } from './guide.ts';
import { MadeKey, NewKey } from './NewKey.tsx';
import { Listening } from './proof/Listening.tsx';
import { Tabs } from './Tabs.tsx';
import type { Connecting } from './proof/useConnecting.ts';
import { words } from './words.ts';

/**
 * What can be connected, and the snippet of what is chosen, with this hub's address and a key that is made right under it,
 * until then a variable's name; then the wait for its first question.
 */
export function Snippets({ connecting, mayMake = true }: { connecting: Connecting; mayMake?: boolean }) {
  const t = say(words);
  const { choice, way, made, source, pick, make, drop } = connecting;
  const labelOf = ({ id, label }: Choice) => t.choices[id] ?? label;
  const [client] = readClient(way) ?? [];
  const makesItself = way.agent !== undefined;
  const notes = [
    way.file && t.put(way.file),
    t.notes[way.id] ?? t.notes[choice.id],
    makesItself && (isHere() ? t.commandHere : t.commandThere),
    client && t.undecided,
    /time_?out/i.test(textOf(way, undefined)) && t.fits,
  ];
  return (
    <>
      <label class="field pick">
        <span>{t.client}</span>
        <select
          value={choice.id}
          onChange={(event) =>
            CHOICES.filter(({ id }) => id === event.currentTarget.value).forEach((one) => pick(one, way.id))
          }
        >
          {CHOICES.map((one) => (
            <option key={one.id} value={one.id} selected={one === choice}>
              {labelOf(one)}
            </option>
          ))}
        </select>
      </label>
      {choice.ways.length > 1 && (
        <Tabs
          label={t.which}
          name="way"
          value={way.id}
          options={choice.ways.map(({ id }) => [id, t.ways[`${choice.id} ${id}`] ?? t.ways[id] ?? id])}
          onPick={(id) => pick(choice, id)}
        />
      )}
      <p class="say">{notes.filter(Boolean).join(t.space)}</p>
      <Code place={way} apiKey={made?.key} />
      {client && (
        <>
          <h3 class="day">{t.fetchClient}</h3>
          <Code place={client} apiKey={made?.key} />
        </>
      )}
      {made && <MadeKey key={made.source.id} made={made} onCopied={drop} />}
      {mayMake && !made && !makesItself && !way.keyless && (
        <NewKey another={source !== undefined} suggested={suggestedName(choice, way)} onMade={make} />
      )}
      {(source || makesItself) && <Listening {...connecting} />}
      <p class="say day links">
        <a class="link" href="/docs" target="_blank" rel="noreferrer">
          {t.docs}
        </a>
        <a class="link" href="/connect/model">
          {t.model}
        </a>
      </p>
    </>
  );
}

// The hub's own address names this machine: its data is here, and with it the way to make a key.
function isHere(): boolean {
  return opensElsewhere(location.origin) === 'local';
}

function Code({ place, apiKey }: { place: Place; apiKey: string | undefined }) {
  const { copy } = say(words);
  const text = textOf(place, apiKey);
  const language = snippets[toKey(place)]?.language ?? '';
  return (
    <CopyLine
      key={text}
      text={text}
      label={{ sh: copy.command, json: copy.settings, toml: copy.settings }[language] ?? copy.code}
    />
  );
}

function textOf(place: Way | Place, apiKey: string | undefined): string {
  const agent = 'agent' in place ? place.agent : undefined;
  const from = agent !== undefined && isHere() ? COMMAND_HERE : place;
  return fill(snippets[toKey(from)]?.text ?? '', {
    origin: location.origin,
    commandLine: commandLine(),
    agent,
    apiKey,
  });
}
