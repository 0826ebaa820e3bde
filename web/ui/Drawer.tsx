import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

/** A slip of paper laid on the page; Escape, the backdrop and `onClose` close it, and the focus returns. */
export function Drawer({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const slip = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    slip.current?.showModal();
  }, []);
  return (
    <dialog
      class="drawer"
      ref={slip}
      aria-labelledby={heading}
      onClose={onClose}
      onKeyDown={(event) => event.stopPropagation()}
      onClick={(event) => event.target === event.currentTarget && event.currentTarget.close()}
    >
      <h2 class="ask" id={heading}>
        {title}
      </h2>
      {children}
    </dialog>
  );
}
