import { useEffect, useState } from 'preact/hooks';
import type { Inquiry } from '#shared/inquiry.ts';
import type { NewSourceReply } from '#shared/wire.ts';
import { entries } from '../../live/store.ts';
import { titleOf } from '../../inquiry/view/Title.tsx';
import { type Choice, CHOICES, type Way } from '../choices.ts';
import { isTest } from './test-question.ts';

/** A question that came from what is being connected, as it is linked to. */
export type Arrived = { id: string; title: string };
type Saved = {
  choice?: string;
  way?: string;
  source?: { id: string; name: string };
  first?: Arrived;
  tested?: Arrived;
};

/** What is being connected on this page: the client that is chosen, its key once there is one, and what came from it. */
export type Connecting = {
  choice: Choice;
  way: Way;
  /** The key just made, as long as this page stands and nobody said that it was copied. */
  made: NewSourceReply | undefined;
  /** The source whose first question is awaited. */
  source: Saved['source'];
  /** The first question of the agent itself. */
  first: Arrived | undefined;
  /** The test question that this page sent with its key. */
  tested: Arrived | undefined;
  pick(choice: Choice, wayId: string): void;
  make(made: NewSourceReply | undefined): void;
  /** Drops the key: it was copied. */
  drop(): void;
  /** Says what the test question became; the inbox may have taken this page's place before the hub's reply. */
  test(asked: Inquiry): void;
};

const SAVED_AS = 'connecting';

/**
 * The same after the page was loaded again, and after another page of this tab, but for the key: it is shown once, and gone
 * with this page. What is connected is over once this is left after the agent's first question.
 */
export function useConnecting(): Connecting {
  const [saved, set] = useState(recall);
  const [made, show] = useState<NewSourceReply | undefined>();
  const change = (part: Partial<Saved>) => set((before) => keep({ ...before, ...part }));
  const choice = CHOICES.find(({ id }) => id === saved.choice) ?? CHOICES[0];
  const came = entries.value.filter(({ inquiry }) => inquiry.source.id === saved.source?.id);
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
    made,
    source: saved.source,
    first: saved.first,
    tested: saved.tested,
    pick: (picked, way) => change({ choice: picked.id, way }),
    test: (asked) => set(keep({ ...recall(), tested: arrived(asked) })),
    make: (reply) => {
      show(reply);
      set((before) =>
        keep({ ...pickedIn(before), ...(reply && { source: { id: reply.source.id, name: reply.source.name } }) }),
      );
    },
    drop: () => show(undefined),
  };
}

function arrived(inquiry: Inquiry): Arrived {
  return { id: inquiry.id, title: titleOf(inquiry) };
}

const pickedIn = ({ choice, way }: Saved): Saved => ({ ...(choice && { choice }), ...(way && { way }) });

// Of this tab alone, and never with a key: what is stored is read by every later page of this origin.
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
