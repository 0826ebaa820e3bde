import type { Inquiries } from '../../inquiries/inquiries.ts';
import type { Http } from '../../platform/http/server.ts';
import type { Log } from '../../platform/log.ts';
import { takeInbound } from '../inbound/inbound.ts';
import { createLangGraph } from '../langgraph/langgraph.ts';
import { inRoutes } from './in.ts';
import { createOpenCalls } from './open-calls.ts';
import { keepCut, noteLost } from '../relay/lost.ts';
import { listenForQuestions } from '../relay/questions.ts';
import { createRelay } from '../relay/relay.ts';
import { repeat } from '../../platform/repeat.ts';
import { connectionRoutes, type ConnectionsDeps } from '../routes.ts';

type Parts = Pick<ConnectionsDeps, 'publicUrl' | 'revoked'> & { inquiries: Inquiries; log: Log };

/** How often each node looks for streams that were lost with another one. */
const LOST_MS = 5_000;

/** The owner's calls about connections, and the addresses that platforms and their clients call. */
export async function openConnections(app: Http, { inquiries, log, publicUrl, revoked }: Parts) {
  const { database, sealingKey } = inquiries;
  const changed = (id: string): void => inquiries.signals.publish(id);
  connectionRoutes(app, { database, sealingKey, publicUrl, revoked, changed });
  const relay = createRelay({ log, publicUrl, listen: listenForQuestions({ inquiries, log }) });
  const calls = createOpenCalls({ database, signals: inquiries.signals, log });
  const langgraph = createLangGraph({ inquiries, log });
  const { places } = inquiries.waiters;
  await inRoutes(app, { database, places, relay, calls, take: takeInbound(inquiries), hint: langgraph.hint });
  let looking: ReturnType<typeof repeat> | undefined;
  return {
    async start(): Promise<void> {
      await keepCut(inquiries);
      looking = repeat(() => LOST_MS, { 'streams of nodes that are gone': () => noteLost(inquiries) }, log);
      langgraph.start();
    },
    resume: langgraph.resume,
    stop: async (): Promise<void> => void (await Promise.all([looking?.stop(), langgraph.stop()])),
  };
}
