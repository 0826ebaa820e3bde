import type { ComponentChildren, Ref } from 'preact';
import { Icon, type IconName } from './Icon.tsx';

type ButtonProps = {
  /** "do" is the one deciding button of a screen and ends in a full stop; "line" is outlined. */
  look?: 'do' | 'line';
  children: ComponentChildren;
  onPress: () => void;
  /** Still pressable, so that it can say why it waits. */
  waits?: boolean;
  /** 0 to 1 while it arms. */
  armed?: number | undefined;
  small?: string | undefined;
  cap?: string | undefined;
  stop?: boolean;
  submit?: boolean;
  buttonRef?: Ref<HTMLButtonElement>;
};

/** A deciding button; its words say what happens. */
export function Button({
  look = 'do',
  children,
  onPress,
  waits,
  armed,
  small,
  cap,
  stop = look === 'do',
  submit,
  buttonRef,
}: ButtonProps) {
  const arming = armed !== undefined && armed < 1;
  return (
    <button
      type={submit ? 'submit' : 'button'}
      class={`button button--${look}${arming ? ' is-arming' : ''}`}
      aria-disabled={waits || arming ? 'true' : undefined}
      style={arming ? { '--armed': `${Math.round(armed * 100)}%` } : undefined}
      onClick={onPress}
      ref={buttonRef ?? null}
    >
      <span class={stop ? 'full' : undefined} dir="auto">
        {children}
      </span>
      {cap && <Cap>{cap}</Cap>}
      {small && <small dir="auto">{small}</small>}
    </button>
  );
}

/** A key as it is drawn beside what it does; only for fine pointers, never read aloud. */
export function Cap({ children }: { children: string }) {
  return (
    <kbd class="cap" aria-hidden="true">
      {children}
    </kbd>
  );
}

/** Underlined words, as tall as a finger. */
export function Quiet({
  children,
  icon,
  onPress,
  pressed,
  label,
  optional,
}: {
  children: ComponentChildren;
  icon?: IconName;
  /** Left out where there is no room for it. */
  optional?: boolean;
  onPress: () => void;
  pressed?: boolean;
  /** Read aloud, where the words alone do not say of what. */
  label?: string;
}) {
  return (
    <button
      type="button"
      class={optional ? 'quiet quiet--optional' : 'quiet'}
      aria-label={label}
      onClick={onPress}
      {...(pressed === undefined ? {} : { 'aria-pressed': pressed })}
    >
      {icon && <Icon name={icon} />}
      <span class="link">{children}</span>
    </button>
  );
}

/** An icon that needs no word to be seen; its label is read aloud. */
export function IconButton({ name, label, onPress }: { name: IconName; label: string; onPress: () => void }) {
  return (
    <button type="button" class="icon" aria-label={label} title={label} onClick={onPress}>
      <Icon name={name} />
    </button>
  );
}
