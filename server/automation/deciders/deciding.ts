import type { Proposal } from '#shared/policies/decider.ts';
import type { Announce, PersonVersion } from '../../inquiries/announce.ts';
import type { Inquiries } from '../../inquiries/inquiries.ts';

/** What deciders need: the life of an inquiry, and devices that are told what one proposes. */
export type Deciding = Inquiries & {
  announce: Announce & {
    /** What a decider proposes has changed, or is gone. */
    proposal(news: { inquiryId: string; proposal: Proposal | undefined; versions: PersonVersion[] }): void;
  };
  /** Asks the deciders now that are due; called after the commit. */
  wakeDeciders: () => void;
};
