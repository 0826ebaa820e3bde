import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Rule } from '#shared/policies/rule.ts';
import { visible } from '#shared/visible.ts';
import { RowAct } from '../../app/form/RowAct.tsx';
import { now } from '../../ui/clock.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Button } from '../../ui/Button.tsx';
import type { Whose } from '../lists.ts';
import { Previewed } from '../Previewed.tsx';
import { Saying } from '../Saying.tsx';
import { usePreview } from '../usePreview.ts';
import { ruleWords } from '../words.ts';

type RuleRowProps = {
  of: Whose;
  rule: Rule;
  place: number;
  last: boolean;
  /** The rule before it that fits first whatever it fits. */
  covered: string | undefined;
  nameOf: (sourceId: string) => string;
  onEdit: () => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
  /** Its form, while it is edited. */
  children: ComponentChildren;
};

/** One rule, read aloud: what it fits and does, what it would have done, and what can be done with it. */
export function RuleRow({ of, rule, place, last, covered, nameOf, onEdit, onMove, onRemove, children }: RuleRowProps) {
  const t = ruleWords();
  const [open, setOpen] = useState<'preview' | 'removal' | undefined>();
  const preview = usePreview(of, open === 'preview' ? rule : undefined);
  const name = visible(rule.name);
  const end = rule.until === undefined ? Infinity : Date.parse(rule.until);
  const act = (word: string, onPress: () => void) => <RowAct word={word} about={t.of(word, name)} onPress={onPress} />;
  return (
    <li>
      <span class="no num" aria-hidden="true">
        {place + 1}
      </span>
      <div>
        <h3>
          <bdi>{name}</bdi>
        </h3>
        <p class="saying">
          <Saying rule={rule} nameOf={nameOf} />
        </p>
        {end <= now.value ? <p>{t.ended(end, now.value)}</p> : covered && <p>{t.covered(visible(covered))}</p>}
        {open === 'preview' && (
          <div class="result" role="status">
            <Previewed then={rule.then} preview={preview} />
          </div>
        )}
        {children || (
          <div class="acts">
            {act(t.preview, () => setOpen(open === 'preview' ? undefined : 'preview'))}
            {act(t.edit, onEdit)}
            {place > 0 && act(t.up, () => onMove(-1))}
            {!last && act(t.down, () => onMove(1))}
            {act(t.remove, () => setOpen('removal'))}
          </div>
        )}
        {open === 'removal' && (
          <Dialog title={t.removeTitle(name)} onClose={() => setOpen(undefined)}>
            <p class="dim">{t.removeSay}</p>
            <div class="bar-do">
              <Button look="line" onPress={() => setOpen(undefined)}>
                {t.keep}
              </Button>
              <Button
                onPress={() => {
                  setOpen(undefined);
                  onRemove();
                }}
              >
                {t.remove}
              </Button>
            </div>
          </Dialog>
        )}
      </div>
    </li>
  );
}
