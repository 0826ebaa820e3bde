import { type RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { route } from '../app/route.ts';
import { openInquiryId } from '../live/inquiries.ts';

// How far down the list was: the page of a phone, the column of a desktop.
const saved = { page: 0, column: 0 };

/** Puts the list back to where it was when somebody returns to it, and keeps the open question's row in view. */
export function useSavedScroll(beside: boolean): RefObject<HTMLElement | null> {
  const list = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (beside) list.current?.scrollTo(0, saved.column);
    else scrollTo(0, saved.page);
    const keep = () => {
      // A page that goes to a question is scrolled up before its list is gone.
      if (!beside && route.peek().page === 'inbox') saved.page = scrollY;
      if (beside && list.current) saved.column = list.current.scrollTop;
    };
    const scroller = beside ? list.current : window;
    scroller?.addEventListener('scroll', keep, { passive: true });
    return () => scroller?.removeEventListener('scroll', keep);
  }, [beside]);
  const open = openInquiryId.value;
  useEffect(() => {
    const row = open === undefined ? null : list.current?.querySelector('[aria-current=true]');
    if (beside) row?.scrollIntoView({ block: 'nearest' });
  }, [open, beside]);
  return list;
}
