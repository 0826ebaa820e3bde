import { useEffect } from 'preact/hooks';
import { signal } from '@preact/signals';
import { Inbox } from '../inbox/Inbox.tsx';
import { isLong } from '../inbox/many/long.ts';
import { given, isOpenHere, yoloShown } from '../live/inquiries.ts';
import { connection, entries, lookAt, shown } from '../live/store.ts';
import { InquiryView } from '../inquiry/InquiryView.tsx';
import { undoBarInInquiry } from '../inquiry/outcome/run.ts';
import { Boundary } from '../ui/Boundary.tsx';
import { Places } from '../ui/shell/Places.tsx';
import { say } from '../ui/language.ts';
import { Mark } from '../ui/Mark.tsx';
import { Loading } from './Loading.tsx';
import type { FetchPlace } from './fetchPlace.ts';
import { lazy, optional } from './lazy.tsx';
import { PLACES } from './places.ts';
import { bandHasPlace, Banners } from './Banners.tsx';
import { type Place, route } from './route.ts';
import { useWide } from './browser/wide.ts';
import { Stopped } from './Stopped.tsx';
import { words } from './words.ts';

const lazyPlace = (place: keyof FetchPlace) =>
  lazy(() => import('./fetchPlace.ts').then(({ fetchPlace }) => fetchPlace[place]()), Loading);
const places = Object.fromEntries(PLACES.map((place) => [place, lazyPlace(place)]));

/** Under which of the five places another one stands. */
const UNDER: Partial<Record<Place | 'inquiry' | 'enroll' | 'unknown', string>> = {
  inbox: '',
  inquiry: '',
  attention: 'history',
  rules: 'automation',
  yolo: 'automation',
  deciders: 'automation',
  quiet: 'automation',
  sources: 'connect',
  connections: 'connect',
  devices: 'settings',
  passkeys: 'settings',
  steps: 'settings',
};

const Lost = lazy(() => import('./Lost.tsx').then(({ Lost: ready }) => ready), Loading);
const Tools = lazy(() => import('../inbox/many/Tools.tsx').then(({ Tools: ready }) => ready), optional);
const YoloWords = lazy(() => import('../yolo/YoloBand.tsx').then(({ YoloWords: ready }) => ready), optional);
const Announcements = lazy(
  () =>
    import('./announcements/Announcements.tsx').then(
      ({ Announcements: ready }) => ready,
      () => () => null,
    ),
  optional,
);
const UndoBar = lazy(() => import('../inquiry/outcome/UndoBar.tsx').then(({ UndoBar: ready }) => ready), optional);

/** Signed in: what stands across every page, the places, and the page that the address names. */
export function AppShell() {
  const t = say(words);
  const at = route.value;
  const wide = useWide();
  const waiting = entries.value.filter(isOpenHere);
  const chosen =
    at.page === 'inquiry' ? at.inquiryId : at.page === 'inbox' && wide ? waiting[0]?.inquiry.id : undefined;
  useEffect(() => lookAt(chosen), [chosen]);
  const listed = at.page === 'inbox' || (at.page === 'inquiry' && wide) ? waiting.map(({ inquiry }) => inquiry.id) : [];
  useShown(chosen === undefined ? listed : [...listed, chosen]);
  useEffect(() => {
    document.title = titleOf(at.page, waiting.length);
  }, [at.page, waiting.length]);
  const view =
    at.page === 'inquiry'
      ? 'inquiry'
      : at.page === 'inbox'
        ? chosen || waiting.length > 0
          ? 'inbox'
          : 'empty'
        : 'page';
  return (
    <div class="app-shell" data-view={view}>
      <a class="skip" href="#open">
        {t.skip}
      </a>
      <Banners />
      <header class="masthead">
        <Wordmark />
        {!bandHasPlace() && yoloShown() && <YoloWords />}
        {at.page === 'inbox' && !wide && isLong.value && (
          <span class="masthead-do">
            <Tools />
          </span>
        )}
        <Places
          label={t.places}
          here={`/${UNDER[at.page] ?? at.page}`}
          places={[
            ['/', t.inbox],
            ['/history', t.history],
            ['/automation', t.automation],
            ['/connect', t.connect],
            ['/settings', t.settings],
          ]}
        />
      </header>
      <Boundary of={at.page + chosen} otherwise={<Stopped />}>
        <Open page={at.page} chosen={chosen} wide={wide} />
      </Boundary>
      {given.value && !undoBarInInquiry(wide) && <UndoBar apart />}
      <Boundary of={entries.value}>
        <Announcements />
      </Boundary>
    </div>
  );

  function titleOf(page: (typeof at)['page'], count: number): string {
    const name = page === 'inquiry' || page === 'unknown' || page === 'enroll' ? t.inbox : t[page];
    return `${count > 0 ? `(${count}) ` : ''}${name} · Beckon`;
  }
}

type Opened = { page: Place | 'inquiry' | 'enroll' | 'unknown'; chosen: string | undefined; wide: boolean };

function Open({ page, chosen, wide }: Opened) {
  if (page === 'unknown' || page === 'enroll') return <Lost />;
  if (page !== 'inbox' && page !== 'inquiry') {
    const Shown = places[page];
    return Shown ? <Shown /> : null;
  }
  const here = chosen !== undefined && entries.value.some(({ inquiry }) => inquiry.id === chosen);
  return (
    <>
      {(wide || chosen === undefined) && <Inbox beside={chosen !== undefined} />}
      {chosen !== undefined && (here ? <InquiryView key={chosen} inquiryId={chosen} /> : <Lost inquiryId={chosen} />)}
    </>
  );
}

const visible = signal(document.visibilityState === 'visible');
document.addEventListener('visibilitychange', () => (visible.value = document.visibilityState === 'visible'));

/** Tells the hub of the inquiries that a person looking at this screen can see; each once. */
function useShown(inquiryIds: string[]): void {
  const seen = visible.value && connection.value === 'live';
  useEffect(() => {
    if (seen) for (const inquiryId of inquiryIds) shown(inquiryId);
  }, [seen, inquiryIds.join()]);
}

/** "Beckon," */
function Wordmark({ href = '/' }: { href?: string }) {
  return (
    <a class="wordmark" href={href} aria-label="Beckon">
      Beckon
      <Mark name="comma" />
    </a>
  );
}
