import { useSignal } from '@preact/signals';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Problem } from '#shared/problem.ts';
import { call } from '../live/api.ts';
import { dispatch } from '../live/line.ts';
import { Button } from '../ui/Button.tsx';
import { allMay, decideAll } from '../inquiry/calls/deciding.ts';
import { CallCard, NumberedCall } from '../inquiry/calls/CallCard.tsx';
import type { CallProps } from '../inquiry/kinds/WriteToCall.tsx';
import { Bar } from '../inquiry/view/Bar.tsx';
import { readHeadline } from '../inquiry/view/headline.ts';
import { useKeys } from '../inquiry/view/keys.ts';
import { Margin, Note } from '../inquiry/view/Note.tsx';
import { dialogWords } from '../inquiry/words.ts';
import { handsWords } from './words.ts';

/** Calls that this person has approved while others have to: what will run, and the two ways to stop it. */
export function ApprovedCalls(props: CallProps) {
  const { inquiry, answering, sight, elsewhere, extension, proposed, decline, onMore, onEscape, onHelp } = props;
  const words = dialogWords();
  const { ask, prose } = readHeadline(inquiry);
  const actions = inquiry.actions ?? [];
  const problem = useSignal<Problem | undefined>(undefined);
  const rejects = allMay(actions, 'reject');
  const reject = () =>
    rejects ? void answering.send((before) => decideAll(inquiry, before, 'reject', { over: true })) : decline.press();
  const takeBack = async () => (problem.value = await takeOwnBack(inquiry.id));
  useKeys({ n: reject, escape: onEscape, help: onHelp });
  return (
    <>
      <Note inquiry={inquiry} ask={ask} prose={prose} folds>
        {elsewhere}
        {actions.length === 1 && <CallCard {...{ inquiry, sight }} at={0} />}
      </Note>
      <Margin inquiry={inquiry} />
      {actions.length > 1 && (
        <section class="reply" aria-label={words.yourAnswer}>
          <ol class="calls">
            {actions.map((_action, at) => (
              <li key={at} id={`call-${at}`}>
                <NumberedCall {...{ inquiry, at, sight }} />
              </li>
            ))}
          </ol>
        </section>
      )}
      {proposed}
      <Bar onMore={onMore} problem={problem.value ?? answering.problem} also={extension}>
        <Button look="line" onPress={reject} waits={answering.busy} cap="n">
          {rejects ? (actions.length > 1 ? words.call.rejectAll : words.call.reject) : decline.say}
        </Button>
        <Button look="line" onPress={() => void takeBack()} waits={answering.busy}>
          {handsWords().takeBack}
        </Button>
      </Bar>
    </>
  );
}

async function takeOwnBack(inquiryId: string): Promise<Problem | undefined> {
  const { problem } = await call('DELETE', `/v1/inquiries/${inquiryId}/approval`);
  // The line tells it as well, but may be slow or lost.
  const { ok } = await call<Inquiry>('GET', `/v1/inquiries/${inquiryId}`);
  if (ok && !ok.resolution) dispatch({ type: 'read', inquiry: ok });
  return problem;
}
