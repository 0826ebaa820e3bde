import '../deciders.css';
import { answerText } from '#shared/text.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Proposal } from '#shared/policies/decider.ts';
import { visible } from '#shared/visible.ts';
import { Refused } from '../../app/form/Wrong.tsx';
import { replyFrom } from '../../inquiry/reply/state.ts';
import type { Answering } from '../../inquiry/reply/useReply.ts';
import { now } from '../../ui/clock.ts';
import { language } from '../../ui/language.ts';
import { Button, Quiet } from '../../ui/Button.tsx';
import { sayDeclines, reader } from './asked.ts';
import { secondsLeft } from './left.ts';
import { SentTo } from './SentTo.tsx';
import { useProposal } from './useProposal.ts';
import { proposalWords } from './words.ts';

type ProposedProps = { inquiry: Inquiry; proposal: Proposal; answering: Answering; onUse: () => void };

/** What a decider proposes, beside what the person writes: it enters no field by itself. */
export function Proposed({ inquiry, proposal, answering, onUse }: ProposedProps) {
  const t = proposalWords();
  const { problem, change } = useProposal(inquiry, proposal);
  const { decider, state, why, at, answer, decidesAt } = proposal;
  const name = visible(decider.name);
  const left = secondsLeft(proposal, now.value);
  if (state === 'waiting' && why === 'suggested') return null;
  if (state === 'stopped' && !answer) return null;
  const use = () => {
    if (answer) answering.takeOver(replyFrom(inquiry, answer, true));
    onUse();
  };
  const head = state === 'waiting' ? t.asking(name) : state === 'failed' ? t.failed(name) : t.suggests(name);
  return (
    <div class="reply">
      <div class="proposal" role="status">
        <p class="label">
          <b>{left === undefined ? head : t.decides(name, left)}</b>
          {answer && left === undefined && <span class="dim">{t.at(Date.parse(at))}</span>}
        </p>
        {answer && (
          <p class="quote is-ink" dir="auto">
            “{visible(answerText(inquiry, answer, language.value))}”
          </p>
        )}
        {state === 'waiting' && why === 'instead of declining' && <p class="hint">{sayDeclines(proposal, reader())}</p>}
        {proposal.problem && <p class="hint">{visible(proposal.problem)}</p>}
        <Refused problem={problem} />
        <div class="acts">
          {answer && !isPlainApproval(answer) && (
            <Button look="line" onPress={use}>
              {t.use}
            </Button>
          )}
          {decidesAt && <Quiet onPress={() => void change('now')}>{t.now}</Quiet>}
          {decidesAt || state === 'waiting' ? (
            <Quiet onPress={() => void change('stop')}>{t.stop}</Quiet>
          ) : (
            <Quiet onPress={() => void change('dismiss')}>{t.dismiss}</Quiet>
          )}
          {state !== 'waiting' && <SentTo inquiryId={inquiry.id} />}
        </div>
      </div>
    </div>
  );
}

// To approve a call there is its own button, which waits until the call was seen.
function isPlainApproval({ decisions }: NonNullable<Proposal['answer']>): boolean {
  return decisions?.length === 1 && decisions[0]?.type === 'approve';
}
