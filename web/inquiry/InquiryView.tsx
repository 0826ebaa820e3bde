import { Loading } from '../app/Loading.tsx';
import { lazy } from '../app/lazy.tsx';
import { entries } from '../live/store.ts';
import { Boundary } from '../ui/Boundary.tsx';
import { fetchForms, needsForms } from './reply/form/ready.ts';

/** Fetches what draws an inquiry and its words; a page that shows only the list does not wait for it. */
export const fetchBody = async () => {
  const [{ InquiryBody: ready }, { fetchWords }] = await Promise.all([
    import('./InquiryBody.tsx'),
    import('./words.ts'),
  ]);
  await fetchWords();
  return ready;
};
const Undrawn = lazy(() => import('./view/Undrawn.tsx').then(({ Undrawn: ready }) => ready), Loading);
const InquiryBody = lazy(fetchBody, Loading);
const InquiryWithForms = lazy(() => Promise.all([fetchBody(), fetchForms()]).then(([ready]) => ready), Loading);

/** One inquiry: open, on its way, or settled; as plain text where it cannot be drawn. Give it a `key` of the inquiry's id. */
export function InquiryView({ inquiryId }: { inquiryId: string }) {
  const one = entries.value.find(({ inquiry }) => inquiry.id === inquiryId);
  if (!one) return null;
  const Body = needsForms(one.inquiry) ? InquiryWithForms : InquiryBody;
  return (
    <Boundary of={[one.inquiry.digest, one.sending, one.resolution?.at].join()} otherwise={<Undrawn entry={one} />}>
      <Body entry={one} />
    </Boundary>
  );
}
