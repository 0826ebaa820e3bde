import type { Inquiry } from '#shared/inquiry.ts';
import type { Answered, Dialect } from '../../dialects/dialect.ts';
import type { Inquiries } from '../../inquiries/inquiries.ts';
import { withdrawRevoked } from '../../inquiries/withdraw.ts';
import type { PostOnce } from '../../deliveries/worker.ts';
import type { Http } from '../../platform/http/server.ts';
import type { Log } from '../../platform/log.ts';
import { speakErrors } from './errors.ts';
import { instanceRoutes } from './instances.ts';
import { DIALECT, toEvent, toKept, type CreateRequest } from './request.ts';
import { requestRoutes } from './requests.ts';

/** The Agent Approval Protocol, version 1, as a provider: what adapters and provisioners call, below `/aap`. */
export async function openAap(
  app: Http,
  { inquiries, post, log }: { inquiries: Inquiries; post: PostOnce; log: Log },
): Promise<void> {
  await app.register(
    async (scope: Http) => {
      speakErrors(scope, log);
      requestRoutes(scope, inquiries);
      instanceRoutes(scope, { ...inquiries, post, revoked: (id) => withdrawRevoked(inquiries, id) });
    },
    { prefix: '/aap' },
  );
}

/** How the transaction of a resolution composes its event. No body is read by it: requests have calls of their own. */
export const aap: Dialect = {
  ...DIALECT,
  read() {
    throw new Error('No body is of this dialect.');
  },
  write: (keep, [inquiry]: (Answered & Partial<Inquiry>)[]) =>
    toEvent(toKept(keep as CreateRequest), inquiry as Inquiry),
};
