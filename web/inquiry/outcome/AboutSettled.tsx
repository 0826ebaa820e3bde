import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Inquiry } from '#shared/inquiry.ts';
import { explain } from '../../app/form/explain.ts';
import { call } from '../../live/api.ts';
import { UntrustedText } from '../../ui/UntrustedText.tsx';
import { CopyButton } from '../calls/CopyButton.tsx';
import { Facts } from '../view/About.tsx';
import { viewWords } from '../view/words.ts';
import { Receipt } from './Receipt.tsx';

const DECIDED = ['person', 'policy', 'decider'];

/** What is known about a settled inquiry, its receipt, and what went back to the framework that asked. */
export function AboutSettled({ inquiry }: { inquiry: Inquiry }) {
  return (
    <>
      <Facts inquiry={inquiry} />
      {DECIDED.includes(inquiry.resolution?.by.kind ?? '') && <Receipt inquiry={inquiry} />}
      {inquiry.dialect && <WentBack inquiryId={inquiry.id} />}
    </>
  );
}

function WentBack({ inquiryId }: { inquiryId: string }) {
  const { wentBack } = viewWords();
  const reply = useSignal<string | undefined>(undefined);
  const why = useSignal('');
  useEffect(() => {
    void call('GET', `/v1/inquiries/${inquiryId}/reply`).then(({ problem, text }) => {
      // Where a framework has no word for "nobody answered", the problem is what it got.
      if (!problem || problem.code === 'ask.unanswered') reply.value = text;
      else why.value = problem.code === 'inquiry.no_reply' ? wentBack.notYet : explain(problem);
    });
  }, [inquiryId]);
  return (
    <section aria-label={wentBack.title}>
      <h2>{wentBack.title}</h2>
      <p role="status">{why.value}</p>
      {reply.value !== undefined && (
        <div class="copyline">
          <pre tabIndex={0}>
            <code>
              <UntrustedText text={reply.value} exact />
            </code>
          </pre>
          <CopyButton text={reply.value} />
        </div>
      )}
    </section>
  );
}
