import './quiet.css';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Quiet } from '#shared/policies/quiet.ts';
import { visible } from '#shared/visible.ts';
import { Refused } from '../app/form/Wrong.tsx';
import { Back } from '../automation/Back.tsx';
import { Head } from '../ui/shell/Head.tsx';
import { now } from '../ui/clock.ts';
import { Button, Quiet as QuietButton } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { SettingRow, SettingRows, SettingSwitch } from '../ui/SettingRows.tsx';
import { Switch } from '../ui/Switch.tsx';
import { SourceOptions } from '../yolo/SourceOptions.tsx';
import { useSources } from '../yolo/tell.ts';
import { Reminders } from './Reminders.tsx';
import { Span } from './Span.tsx';
import { zoneCounted, zoneElsewhere } from './time-zone.ts';
import { useQuiet } from './useQuiet.ts';
import { quietWords } from './words.ts';

const NIGHT = { from: '22:00', to: '07:00' };
const MOST = 10;

/** When this person is not to be woken, as rows; each change is saved at once, for all devices. */
export function QuietHours() {
  const t = quietWords();
  const { quiet, change, turn, problem } = useQuiet();
  const spans = quiet?.spans ?? [];
  const [only] = spans;
  const clauses =
    spans.length === 0
      ? ([t.noHours] as const)
      : quiet?.off
        ? ([t.turnedOff] as const)
        : only && spans.length === 1
          ? t.one(only.from, only.to)
          : ([t.several(spans.length)] as const);
  return (
    <>
      <aside class="side" aria-label={t.title}>
        <Head clauses={clauses}>
          <Back />
          <p class="lede">{t.lede}</p>
          <Refused problem={problem} />
        </Head>
      </aside>
      <main class="page" id="open">
        <Hours spans={spans} change={change} act={quiet && <Switch on={!quiet.off} label={t.hours} onTurn={turn} />} />
        {quiet && (
          <Through
            through={quiet.through ?? {}}
            onChange={(part) =>
              change((before) => (before ? { quiet: { ...before, through: { ...before.through, ...part } } } : {}))
            }
          />
        )}
        <Reminders />
      </main>
    </>
  );
}

type HoursProps = { spans: Quiet['spans']; act: ComponentChildren } & Pick<ReturnType<typeof useQuiet>, 'change'>;

function Hours({ spans, act, change }: HoursProps) {
  const t = quietWords();
  const counted = zoneCounted();
  const here = counted && zoneElsewhere(counted, now.peek());
  const put = (make: (spans: Quiet['spans']) => Quiet['spans']) =>
    change((before) => {
      const list = make(before?.spans ?? []);
      return { quiet: list.length === 0 ? null : { ...before, spans: list } };
    });
  const below = (
    <>
      {spans.some(({ days }) => days) && <p class="say">{t.begins}</p>}
      {counted && spans.length > 0 && <p class="say">{t.zone(visible(counted.zone), counted.ofHub)}</p>}
      <div class="fields">
        {here !== undefined && (
          <QuietButton onPress={() => change(() => ({ chosenTimeZone: here }))}>{t.useZone(here)}</QuietButton>
        )}
        {spans.length < MOST && (
          <QuietButton icon="plus" onPress={() => put((list) => [...list, NIGHT])}>
            {t.add}
          </QuietButton>
        )}
      </div>
    </>
  );
  return (
    <SettingRows title={t.hours} act={act} below={below}>
      {spans.map((span, place) => (
        <Span
          key={place}
          {...{ span, place }}
          onChange={(make) => put((list) => list.map((one, at) => (at === place ? make(one) : one)))}
          onRemove={() => put((list) => list.toSpliced(place, 1))}
        />
      ))}
    </SettingRows>
  );
}

type Breaking = NonNullable<Quiet['through']>;

/** What notifies in spite of quiet hours. */
function Through({ through, onChange }: { through: Breaking; onChange: (part: Breaking) => void }) {
  const t = quietWords();
  const asking = useSources();
  const [choosing, choose] = useState(false);
  const { high = false, sources = [] } = through;
  const nameOf = (id: string) => visible(asking.find((source) => source.id === id)?.name ?? id);
  return (
    <SettingRows
      title={t.through}
      below={
        choosing && (
          <Dialog title={t.which} onClose={() => choose(false)}>
            <SourceOptions
              label={t.through}
              sources={asking}
              chosen={sources}
              onChoose={(chosen) => onChange({ sources: chosen })}
            />
            <div class="bar-do">
              <Button look="line" onPress={() => choose(false)}>
                {t.close}
              </Button>
            </div>
          </Dialog>
        )
      }
    >
      <SettingSwitch name={t.urgent} on={high} onTurn={(on) => onChange({ high: on })} />
      <SettingRow
        name={t.which}
        value={sources.length === 0 ? t.none : sources.length === 1 ? nameOf(sources[0] ?? '') : String(sources.length)}
        opens={() => choose(true)}
      />
    </SettingRows>
  );
}
