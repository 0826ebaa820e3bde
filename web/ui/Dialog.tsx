import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

/** A dialog laid on the page; Escape, the backdrop and `onClose` close it, and the focus returns. */
export function Dialog({
  title,
  onClose,
  tall,
  onEnter,
  children,
}: {
  title: string;
  onClose: () => void;
  /** Its list scrolls inside it and its buttons stay in view. */
  tall?: boolean;
  /** Ctrl or Cmd with Enter. */
  onEnter?: () => void;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog
      class={tall ? 'dialog dialog--tall' : 'dialog'}
      ref={dialog}
      aria-labelledby={heading}
      onClose={onClose}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Enter' && (event.metaKey || event.ctrlKey) && !event.repeat) onEnter?.();
      }}
      onClick={(event) => event.target === event.currentTarget && event.currentTarget.close()}
    >
      <h2 class="ask" id={heading}>
        {title}
      </h2>
      {children}
    </dialog>
  );
}
