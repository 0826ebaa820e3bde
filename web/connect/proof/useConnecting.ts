import { useEffect, useState } from 'preact/hooks';
import type { Inquiry } from '#shared/inquiry.ts';
import type { NewSourceReply } from '#shared/wire.ts';
import { entries } from '../../live/store.ts';
import { titleOf } from '../../inquiry/view/Title.tsx';
import { type Choice, CHOICES, type Way } from '../choices.ts';
import { isTest } from './test-question.ts';

/** A question that came from what is being connected, as it is linked to. */
export type Arrived = { id: string; title: string };
type Saved = { choice?: string; way?: string; made?: NewSourceReply; first?: Arrived; tested?: Arrived };

/** What is being connected on this page: the client that is chosen, its key once there is one, and what came from it. */
export type Connecting = {
  choice: Choice;
  way: Way;
  made: NewSourceReply | undefined;
  /** The first question of the agent itself. */
  first: Arrived | undefined;
  /** The test question that this page sent with its key. */
  tested: Arrived | undefined;
  pick(choice: Choice, wayId: string): void;
  make(made: NewSourceReply | undefined): void;
  /** Says what the test question became; the inbox may have taken this page's place before the hub's reply. */
  test(asked: Inquiry): void;
};

const SAVED_AS = 'connecting';

/**
 * The same after the page was loaded again, and after another page of this tab. The key is gone with the tab, at sign-out,
 * and once this is left after the agent's first question, which shows that the agent has it.
 */
export function useConnecting(): Connecting {
  const [saved, set] = useState(recall);
  const change = (part: Partial<Saved>) => set((before) => keep({ ...before, ...part }));
  const choice = CHOICES.find(({ id }) => id === saved.choice) ?? CHOICES[0];
  const came = entries.value.filter(({ inquiry }) => inquiry.source.id === saved.made?.source.id);
  const first = came.find(({ inquiry }) => !isTest(inquiry))?.inquiry;
  const tested = came.find(({ inquiry }) => isTest(inquiry))?.inquiry;
  useEffect(() => {
    if (first && !saved.first) change({ first: arrived(first) });
  }, [first]);
  useEffect(() => {
    if (tested) change({ tested: arrived(tested) });
  }, [tested?.id]);
  useEffect(
    () => () => {
      const last = recall();
      if (last.first) keep(pickedIn(last));
    },
    [],
  );
  return {
    choice,
    way: choice.ways.find(({ id }) => id === saved.way) ?? choice.ways[0],
    made: saved.made,
    first: saved.first,
    tested: saved.tested,
    pick: (picked, way) => change({ choice: picked.id, way }),
    test: (asked) => set(keep({ ...recall(), tested: arrived(asked) })),
    make: (made) => set((before) => keep({ ...pickedIn(before), ...(made && { made }) })),
  };
}

function arrived(inquiry: Inquiry): Arrived {
  return { id: inquiry.id, title: titleOf(inquiry) };
}

const pickedIn = ({ choice, way }: Saved): Saved => ({ ...(choice && { choice }), ...(way && { way }) });

// The hub shows a key once, and people load a page again before they have pasted it. Only this tab has it, as long as it
// is open: localStorage would hold it in clear for every later page of this origin, and for whoever opens the disk.
function keep(saved: Saved): Saved {
  try {
    sessionStorage.setItem(SAVED_AS, JSON.stringify(saved));
  } catch {
    // A browser that keeps nothing shows it as long as the page stands.
  }
  return saved;
}

function recall(): Saved {
  try {
    return (JSON.parse(sessionStorage.getItem(SAVED_AS) ?? '{}') ?? {}) as Saved;
  } catch {
    return {};
  }
}
