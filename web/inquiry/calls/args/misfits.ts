import { readArgsText } from '../../../live/inquiries.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Reply } from '../../reply/state.ts';
import { argsFaults } from './fields.ts';

/** True while one of the calls has changed arguments that its fields refuse. */
export function misfits(inquiry: Inquiry, reply: Reply): boolean {
  return (inquiry.actions ?? []).some((action, place) => {
    const call = reply.calls[place];
    return call?.type === 'edit' && argsFaults(action, readArgsText(inquiry, place), call.argsText).length > 0;
  });
}
