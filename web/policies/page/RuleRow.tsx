import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Rule } from '#shared/policies/rule.ts';
import { visible } from '#shared/visible.ts';
import { now } from '../../ui/clock.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Button, IconButton, Quiet } from '../../ui/Button.tsx';
import { Switch } from '../../ui/Switch.tsx';
import type { Whose } from '../lists.ts';
import { Previewed } from '../Previewed.tsx';
import { Saying } from '../Saying.tsx';
import { usePreview } from '../Previewed.tsx';
import { ruleWords } from '../words.ts';

type RuleRowProps = {
  of: Whose;
  rule: Rule;
  /** What it did this week. */
  did: string;
  /** The rule before it that fits first whatever it fits. */
  covered: string | undefined;
  nameOf: (sourceId: string) => string;
  onMove: (by: -1 | 1) => void;
  mayMove: readonly [up: boolean, down: boolean];
  onRemove: () => void;
  onTurn: (on: boolean) => void;
  /** What was done to it last. */
  children: ComponentChildren;
};

/** One rule, read aloud: what it fits and does, what it did this week, whether it is on, and what can be done with it. */
export function RuleRow({ of, rule, did, covered, nameOf, mayMove, children, ...acts }: RuleRowProps) {
  const t = ruleWords();
  const [open, setOpen] = useState<'menu' | 'preview' | 'removal' | undefined>();
  const preview = usePreview(of, open === 'preview' ? rule : undefined);
  const name = visible(rule.name);
  const end = rule.until === undefined ? Infinity : Date.parse(rule.until);
  const ended = end <= now.value;
  const [up, down] = mayMove;
  const choose = (word: string, act: () => void) => (
    <Quiet
      label={t.of(word, name)}
      onPress={() => {
        setOpen(undefined);
        act();
      }}
    >
      {word}
    </Quiet>
  );
  return (
    <li class={rule.off || ended ? 'is-off' : undefined}>
      <h3>
        <bdi>{name}</bdi>
      </h3>
      <p class="saying">
        <Saying rule={rule} nameOf={nameOf} />
      </p>
      {ended ? <p>{t.ended(end, now.value)}</p> : covered && <p>{t.covered(visible(covered))}</p>}
      {!rule.off && <p>{did}</p>}
      {children}
      {open === 'preview' && (
        <div class="result" role="status">
          <Previewed then={rule.then} preview={preview} />
        </div>
      )}
      <div class="acts">
        {!ended && <Switch on={!rule.off} label={name} onTurn={acts.onTurn} />}
        <a class="quiet" href={`/rules#${of}/${encodeURIComponent(rule.name)}`} aria-label={t.of(t.edit, name)}>
          <span class="link">{t.edit}</span>
        </a>
        <IconButton name="more" label={t.of(t.more, name)} onPress={() => setOpen('menu')} />
      </div>
      {open === 'menu' && (
        <Dialog title={name} onClose={() => setOpen((shown) => (shown === 'menu' ? undefined : shown))}>
          <div class="menu">
            {choose(t.preview, () => setOpen('preview'))}
            {up && choose(t.up, () => acts.onMove(-1))}
            {down && choose(t.down, () => acts.onMove(1))}
            {choose(t.remove, () => setOpen('removal'))}
          </div>
        </Dialog>
      )}
      {open === 'removal' && <Removal {...{ name }} onKeep={() => setOpen(undefined)} onRemove={acts.onRemove} />}
    </li>
  );
}

function Removal({ name, onKeep, onRemove }: { name: string; onKeep: () => void; onRemove: () => void }) {
  const t = ruleWords();
  return (
    <Dialog title={t.removeTitle(name)} onClose={onKeep}>
      <p class="dim">{t.removeSay}</p>
      <div class="bar-do">
        <Button look="line" onPress={onKeep}>
          {t.keep}
        </Button>
        <Button
          onPress={() => {
            onKeep();
            onRemove();
          }}
        >
          {t.remove}
        </Button>
      </div>
    </Dialog>
  );
}
