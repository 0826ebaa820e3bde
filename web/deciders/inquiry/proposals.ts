import type { DeciderRun, Proposal } from '#shared/policies/decider.ts';
import { call } from '../../live/api.ts';

const inquiryPath = (inquiryId: string) => `/v1/inquiries/${encodeURIComponent(inquiryId)}`;

/** Asks the decider of an inquiry's source to decide it. */
export function letDecide(inquiryId: string) {
  return call<Proposal>('POST', `${inquiryPath(inquiryId)}/decider`, {});
}

/** Keeps a proposal from deciding, lets it decide now, or puts it away; on every device. */
export function changeProposal({ id }: Proposal, how: 'stop' | 'now' | 'dismiss') {
  return call('POST', `/v1/proposals/${encodeURIComponent(id)}/${how}`, {});
}

/** What deciders were sent about an inquiry, and what came back. */
export function readRuns(inquiryId: string) {
  return call<{ items: DeciderRun[] }>('GET', `${inquiryPath(inquiryId)}/runs`);
}
