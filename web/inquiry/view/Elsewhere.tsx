import { answerText } from '#shared/text.ts';
import type { InquiryEntry } from '../../live/entry.ts';
import { isWrittenElsewhere } from '../../live/inquiries.ts';
import { me } from '../../live/session.ts';
import { now } from '../../ui/clock.ts';
import { language } from '../../ui/language.ts';
import { Mark } from '../../ui/Mark.tsx';
import { Quiet } from '../../ui/Button.tsx';
import { visible } from '#shared/visible.ts';
import { type Reply, replyFrom } from '../reply/state.ts';
import { viewWords } from './words.ts';

/** Says that somebody is answering elsewhere; this person's own words can be taken over from there. */
export function Elsewhere({ entry, onTakeOver }: { entry: InquiryEntry; onTakeOver: (reply: Reply) => void }) {
  const { elsewhere } = viewWords();
  const { draft, inquiry } = entry;
  if (!draft || draft.device.id === me.value?.device.id) return null;
  const device = visible(draft.device.name);
  const { answer } = draft;
  const own = draft.handle === me.value?.person.handle;
  const text = own && answer ? answerText(inquiry, answer, language.value).trim() : '';
  const stillWriting = isWrittenElsewhere(draft, now.value);
  // Somebody else may have gone; words of one's own are worth going on with however old they are.
  if (!stillWriting && text === '') return null;
  const where = stillWriting ? elsewhere.yours(device) : elsewhere.begun(device, Date.parse(draft.at), now.value);
  return (
    <div class="elsewhere" role="status">
      <Mark name="dots" />
      <div>
        <b>{own ? where : elsewhere.other(visible(draft.handle), device)}</b>{' '}
        {own ? elsewhere.follow : elsewhere.mayBeFirst}
        {text !== '' && (
          <p class="quote" dir="auto">
            {visible(text)}
          </p>
        )}
        {own && answer && text !== '' && (
          <div>
            <Quiet onPress={() => onTakeOver(replyFrom(inquiry, answer, true))}>{elsewhere.goOn}</Quiet>
          </div>
        )}
      </div>
    </div>
  );
}
