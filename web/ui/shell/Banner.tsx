import type { ComponentChildren } from 'preact';
import { Folded } from '../Folded.tsx';
import { Icon, type IconName } from '../Icon.tsx';

/** One sentence across the page: ink for what is switched on, panel-coloured ("quiet") for how things stand. */
export function Banner({
  quiet,
  icon,
  children,
  act,
}: {
  quiet?: boolean;
  icon?: IconName;
  children: ComponentChildren;
  act?: ComponentChildren;
}) {
  return (
    <div class={quiet ? 'banner banner--quiet' : 'banner'} role="status">
      {icon && <Icon name={icon} />}
      <Folded>{children}</Folded>
      {act}
    </div>
  );
}
