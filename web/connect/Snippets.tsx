import { snippets } from 'virtual:snippets';
import { say } from '../ui/language.ts';
import { type Choice, CHOICES, type Place } from './choices.ts';
import { CopyLine } from './CopyLine.tsx';
import { readClient, toKey } from './guide.ts';
import { Tabs } from './Tabs.tsx';
import type { Connecting } from './proof/useConnecting.ts';
import { words } from './words.ts';

type SnippetsProps = Pick<Connecting, 'choice' | 'way' | 'made' | 'pick'>;

/** What can be connected, and the snippet of what is chosen, with this hub's address and a key just made, else a variable's name. */
export function Snippets({ choice, way, made, pick }: SnippetsProps) {
  const t = say(words);
  const apiKey = made?.key;
  const main = textOf(way, apiKey);
  const [client] = readClient(way) ?? [];
  const labelOf = ({ id, label }: Choice) => t.choices[id] ?? label;
  const notes = [
    way.file && t.put(way.file),
    t.notes[way.id] ?? t.notes[choice.id],
    client && t.undecided,
    /time_?out/i.test(main) && t.fits,
  ];
  return (
    <>
      <h2 class="day">{t.client}</h2>
      <Tabs
        label={t.head}
        name="client"
        value={choice.id}
        options={CHOICES.map((one) => [one.id, labelOf(one)])}
        onPick={(id) => CHOICES.filter((one) => one.id === id).forEach((one) => pick(one, way.id))}
      />
      <div class="codehead">
        <h2>{labelOf(choice)}</h2>
        {choice.ways.length > 1 && (
          <Tabs
            label={t.which}
            name="way"
            look="seg"
            value={way.id}
            options={choice.ways.map(({ id }) => [id, t.ways[id] ?? id])}
            onPick={(id) => pick(choice, id)}
          />
        )}
      </div>
      <p class="say">{notes.filter(Boolean).join(t.space)}</p>
      <Code place={way} apiKey={apiKey} />
      {client && (
        <>
          <h3 class="day">{t.fetchClient}</h3>
          <Code place={client} apiKey={apiKey} />
        </>
      )}
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

function textOf(place: Place, apiKey: string | undefined): string {
  const text = (snippets[toKey(place)]?.text ?? '').replaceAll('https://beckon.example.com', location.origin);
  return apiKey === undefined ? text : text.replace(/\$\{(?:env:)?BECKON_KEY\}|\$BECKON_KEY|bks_…/g, apiKey);
}
