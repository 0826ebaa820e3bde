import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Mark } from '../ui/Mark.tsx';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import { HubIcon } from './HubIcon.tsx';

type SignInCardProps = { title: string; lede?: ComponentChildren; children: ComponentChildren; onSubmit?: () => void };

/** A card with a message on the left and what to fill in on the right; the only thing on its page. */
export function SignInCard({ title, lede, children, onSubmit }: SignInCardProps) {
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title.replace(/[.。]$/, '')} · Beckon`;
    // A new card replaces the one before; whoever reads by ear must hear it begin.
    if (document.activeElement === null || document.activeElement === document.body) head.current?.focus();
  }, [title]);
  const sides = (
    <>
      <div>
        <p class="wordmark">
          Beckon
          <Mark name="comma" />
        </p>
        <h1 class="head" tabIndex={-1} ref={head}>
          <UntrustedText text={title} />
        </h1>
        {lede && <p class="lede">{lede}</p>}
      </div>
      <div>{children}</div>
      <HubIcon />
    </>
  );
  if (!onSubmit)
    return (
      <main class="stage">
        <section class="sign-in-card">{sides}</section>
      </main>
    );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <main class="stage">
      <form class="sign-in-card" onSubmit={submit}>
        {sides}
      </form>
    </main>
  );
}
