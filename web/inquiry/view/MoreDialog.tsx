import type { Action, ActionOption } from '#shared/inquiry.ts';
import { visible } from '#shared/visible.ts';
import { dismiss, extend } from '../../live/acts.ts';
import { me } from '../../live/session.ts';
import { offersAlways } from '../../policies/always/extents.ts';
import { ruleWords } from '../../policies/words.ts';
import { now } from '../../ui/clock.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { go } from '../../ui/place.ts';
import { furtherChoices, remembers, sayOption } from '../calls/deciding.ts';
import type { KindProps } from '../kinds/kind.ts';
import { canExtend } from './countdown.ts';
import { About } from './About.tsx';
import { RemindItem } from './Remind.tsx';
import { viewWords } from './words.ts';

export { RemindDialog } from './Remind.tsx';

type MoreProps = Pick<KindProps, 'inquiry' | 'always' | 'onHelp'> & {
  onDecline: () => void;
  onRemind: () => void;
  onClose: () => void;
};

/** What else can be done with an open inquiry, and what is known about it. */
export function MoreDialog({ inquiry, onClose, always, onDecline, onRemind, onHelp }: MoreProps) {
  const { dialog, way } = viewWords();
  const latest = Date.parse(inquiry.latestAt);
  const action = inquiry.actions?.length === 1 ? inquiry.actions[0] : undefined;
  const then = (act: () => void) => () => {
    onClose();
    act();
  };
  const hide = () => {
    void dismiss(inquiry.id);
    go('/');
  };
  const longer = (seconds: number) => then(() => void extend(inquiry.id, seconds));
  return (
    <Dialog title={dialog.title} onClose={onClose}>
      <ul>
        {offersAlways(inquiry, me.value?.person.handle) && (
          <li>
            <button type="button" onClick={then(() => (always.value = true))}>
              {ruleWords().alwaysMore}
            </button>
          </li>
        )}
        {action && <Further action={action} onPick={(option) => then(() => (always.value = option))} />}
        <li>
          <button type="button" onClick={then(onDecline)}>
            {dialog.decline}
            <small>{dialog.declineMore}</small>
          </button>
        </li>
        {canExtend(inquiry, now.value) && (
          <>
            <li>
              <button type="button" onClick={longer(300)}>
                {dialog.fiveMore}
                <small>{dialog.latest(latest, now.value)}</small>
              </button>
            </li>
            <li>
              <button type="button" onClick={longer(3600)}>
                {dialog.hourMore}
              </button>
            </li>
          </>
        )}
        <RemindItem inquiry={inquiry} onPress={then(onRemind)} />
        <li>
          <button type="button" onClick={then(hide)}>
            {dialog.dismiss}
            <small>{dialog.dismissMore}</small>
          </button>
        </li>
        <li>
          <a href={`/settings#${inquiry.source.id}`} onClick={onClose}>
            {way(visible(inquiry.source.name))}
          </a>
        </li>
        <li class="for-keys">
          <button type="button" onClick={then(onHelp)}>
            {dialog.keys}
          </button>
        </li>
      </ul>
      <About inquiry={inquiry} />
    </Dialog>
  );
}

function Further({ action, onPick }: { action: Action; onPick: (option: ActionOption) => () => void }) {
  return furtherChoices(action).map((option) => (
    <li key={option.id}>
      <button type="button" onClick={onPick(option)}>
        {sayOption(action, option)}…<small>{remembers(option)}</small>
      </button>
    </li>
  ));
}

/** What each key does. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const { keys } = viewWords();
  return (
    <Dialog title={keys.title} onClose={onClose}>
      <dl>
        {keys.list.map(([key, what]) => (
          <>
            <dt key={key}>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </>
        ))}
      </dl>
    </Dialog>
  );
}
