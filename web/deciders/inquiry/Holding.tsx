import '../deciders.css';
import { useLayoutEffect } from 'preact/hooks';
import { answerText } from '#shared/text.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Proposal } from '#shared/policies/decider.ts';
import { visible } from '#shared/visible.ts';
import { CallCard, NumberedCall } from '../../inquiry/calls/CallCard.tsx';
import type { KindProps } from '../../inquiry/kinds/kind.ts';
import { Bar } from '../../inquiry/view/Bar.tsx';
import { readHeadline } from '../../inquiry/view/headline.ts';
import { Below } from '../../inquiry/calls/Below.tsx';
import { useFresh, awaitPause } from '../../inquiry/view/presses.ts';
import { useStill } from '../../inquiry/calls/useStill.ts';
import { Margin, Note } from '../../inquiry/view/Note.tsx';
import { useKeys } from '../../inquiry/view/keys.ts';
import { now } from '../../ui/clock.ts';
import { go } from '../../ui/place.ts';
import { language } from '../../ui/language.ts';
import { Button, Quiet } from '../../ui/Button.tsx';
import { reader, sayWhy } from './asked.ts';
import { secondsLeft } from './left.ts';
import { SentTo } from './SentTo.tsx';
import { useProposal } from './useProposal.ts';
import { proposalWords } from './words.ts';

type HoldingProps = Pick<KindProps, 'inquiry' | 'elsewhere' | 'onMore' | 'onEscape' | 'onHelp'> & {
  proposal: Proposal;
};

/** What a decider will answer, and how long a person can still overrule it. */
export function Holding({ inquiry, proposal, elsewhere, onMore, onEscape, onHelp }: HoldingProps) {
  const t = proposalWords();
  const { problem, busy, sight, change: changed } = useProposal(inquiry, proposal);
  const fresh = useFresh();
  useStill();
  const change = async (how: 'stop' | 'now') => !fresh.peek() && (await changed(how));
  const myself = () => void change('stop');
  const stop = async () => (await change('stop')) && go('/');
  // The question it stands before may take other keys.
  useLayoutEffect(() => () => awaitPause(), []);
  useKeys({ e: myself, escape: onEscape, help: onHelp });
  const { actions = [] } = inquiry;
  const name = visible(proposal.decider.name);
  const left = secondsLeft(proposal, now.value) ?? 0;
  return (
    <>
      <Note inquiry={inquiry} {...readHeadline(inquiry)} folds={actions.length > 0}>
        {elsewhere}
        {actions.length === 1 && <CallCard {...{ inquiry, sight }} at={0} />}
      </Note>
      <Margin inquiry={inquiry} />
      {actions.length > 1 && (
        <ol class="reply calls">
          {actions.map((_, at) => (
            <li key={at}>
              <NumberedCall {...{ inquiry, at, sight }} />
            </li>
          ))}
        </ol>
      )}
      <section class="reply" aria-label={t.will(name)}>
        <p class="hold" role="timer" aria-label={t.leftAloud(left)}>
          {t.left(left)}
        </p>
        <div class="proposal">
          <p class="label">
            <b>{t.will(name)}</b>
          </p>
          <p class="quote is-ink" dir="auto">
            “{visible(sayAnswer(inquiry, proposal))}”
          </p>
          <div class="acts">
            <SentTo inquiryId={inquiry.id} />
          </div>
        </div>
        <p class="hint">
          {sayWhy(proposal, reader())} {t.marked(name)}
        </p>
      </section>
      <Bar
        onMore={onMore}
        problem={problem}
        below={<Below sight={sight} />}
        also={
          <>
            <Quiet onPress={() => void change('now')}>{t.now}</Quiet>
            <Quiet onPress={() => void stop()}>{t.stop}</Quiet>
          </>
        }
      >
        <Button onPress={myself} waits={busy} cap="e">
          {t.myself}
        </Button>
      </Bar>
    </>
  );
}

function sayAnswer(inquiry: Inquiry, { answer = {} }: Proposal): string {
  return answerText(inquiry, answer, language.value);
}
