import { createAnswers } from './connections/answers.ts';
import { openConnections } from './connections/in/open.ts';
import { deliveryRoutes } from './deliveries/routes.ts';
import { createDispatcher } from './deliveries/dispatch.ts';
import { openPush } from './deliveries/push/pusher.ts';
import { createMarker } from './deliveries/inquiry-devices.ts';
import { DIALECTS } from './dialects/all/dialects.ts';
import { composeBy } from './dialects/open.ts';
import { dialectRoutes } from './dialects/routes.ts';
import { openReceipts } from './receipts/routes.ts';
import { enrolmentRoutes } from './devices/enrolments/routes.ts';
import { linkForPerson } from './devices/enrolments/link.ts';
import { callerIn } from './devices/find.ts';
import { deviceRoutes } from './devices/routes.ts';
import { openGates } from './mcp/gate/http/open.ts';
import { unheard } from './inquiries/announce.ts';
import { createCollected } from './inquiries/collected.ts';
import type { Automation } from './automation/automation.ts';
import { createSettling } from './automation/settling.ts';
import { createOpenCounts } from './inquiries/open-counts.ts';
import { createDeciders } from './automation/deciders/deciders.ts';
import { composeInquiry } from './inquiries/notification/notification.ts';
import { answerRoutes } from './inquiries/routes/people.ts';
import { askRoutes } from './inquiries/routes/sources.ts';
import { createWaiters } from './inquiries/waiters.ts';
import { restore, withdrawAskedOf, withdrawRevoked } from './inquiries/withdraw.ts';
import { startJobs, type Jobs } from './jobs.ts';
import { composeYolo } from './automation/yolo/notification.ts';
import { createLive, type Live } from './live/live.ts';
import type { Pace } from './mcp/hold.ts';
import { openMcp } from './mcp/endpoint/routes.ts';
import { composeNotice } from './notices/notification.ts';
import { noticeRoutes } from './notices/routes.ts';
import { readNotice } from './notices/read.ts';
import { ensureOwner } from './people/owner.ts';
import { peopleRoutes, type PeopleDeps } from './people/routes.ts';
import type { Database } from './platform/database.ts';
import type { Http } from './platform/http/server.ts';
import { deviceGrantRoutes } from './protocols/device-grant/routes.ts';
import { serveDocs } from './platform/reference/docs.ts';
import { createHeldCalls } from './platform/held-calls.ts';
import { healthRoutes } from './platform/http/health.ts';
import { BACKLOG, createHttp } from './platform/http/http.ts';
import type { Log } from './platform/log.ts';
import { createMetrics, openMetrics } from './platform/http/metrics.ts';
import { DOCS_PATH, servePage } from './platform/http/page.ts';
import { watchLoop } from './platform/loop.ts';
import { joinNeighbours } from './platform/nodes/neighbours.ts';
import { connectRedis } from './platform/nodes/redis.ts';
import { stopInTurn } from './platform/stop.ts';
import { loadSealingKey } from './platform/secrets/sealing-key.ts';
import { createAddresses, type Settings } from './platform/settings.ts';
import { retainHistory } from './platform/stored.ts';
import { localSignals, redisSignals } from './platform/nodes/signals.ts';
import { aap, openAap } from './protocols/aap/aap.ts';
import { automationRoutes } from './automation/routes.ts';
import { openKeycloak } from './protocols/keycloak/routes.ts';
import { tellKeycloak } from './protocols/keycloak/tell.ts';
import { reportRoutes } from './reports/routes.ts';
import { sourceRoutes } from './sources/routes.ts';

export type App = {
  http: Http;
  /** Listens and starts what runs by itself; resolves with the address that people open. */
  start(): Promise<string>;
  /** Ends waits without withdrawing anything, finishes what is being written, closes, in less time than main.ts allows. */
  stop(): Promise<void>;
};

export type AppOptions = { restored?: boolean; shrinkHistory?: boolean; pace?: Partial<Pace> };
/** The whole hub, put together: the one place that knows every part. */
export async function createApp(
  settings: Settings,
  database: Database,
  log: Log,
  { restored = false, shrinkHistory = false, pace }: AppOptions = {},
): Promise<App> {
  await retainHistory(database, settings.RETAIN_DAYS, shrinkHistory);
  await ensureOwner(database);
  const redis = settings.REDIS_URL === undefined ? undefined : await connectRedis({ url: settings.REDIS_URL, log });
  const signals = redis ? await redisSignals({ redis }) : localSignals();
  const loop = watchLoop();
  const metrics = createMetrics({ database });
  const dispatcher = createDispatcher({
    database,
    log,
    connections: settings.WEBHOOK_CONNECTIONS,
    counter: metrics.webhookAttempts,
    ...createAnswers(() => inquiries),
    resume: (row) => platforms.resume(row),
    tellIssuer: tellKeycloak(() => inquiries, settings.KEYCLOAK_ISSUERS),
    toSubscriber: (row, at) => mcp.events.toSubscriber(row, at),
  });
  const marker = createMarker({ database, log });
  const composers = { inq: composeInquiry, ntc: composeNotice, yol: composeYolo };
  const push = await openPush({ settings, composers, publicUrl: () => publicUrl(), database, log, metrics });
  const inquiries: Automation = {
    database,
    signals,
    waiters: createWaiters(signals, undefined, { wait: settings.WAIT_LIMIT, stream: settings.STREAM_LIMIT }),
    collected: createCollected({ database, log, announce: () => inquiries.announce }),
    announce: { ...unheard, proposal() {}, yolo() {} },
    settling: createSettling(database, () => inquiries),
    wakeDeliveries: () => dispatcher.wake(),
    wakePushes: push.wake,
    wakeDeciders: () => deciders.wake(),
    sealingKey: await loadSealingKey({ dataDir: settings.DATA_DIR, setting: settings.SEALING_KEY, database }),
    openLimit: settings.OPEN_LIMIT,
    openBytesLimit: settings.OPEN_BYTES_LIMIT,
    openCounts: createOpenCounts(),
    publicUrl: () => publicUrl(),
    composeReply: composeBy([...DIALECTS, aap], log),
    answering: new Set(),
    count: metrics.countInquiry,
    note: (what, about) => log.info(about, `an inquiry was ${what}`),
  };
  const deciders = createDeciders({ inquiries, log, caughtUp: loop.caughtUp, behind: loop.behind });
  const { publicUrl, ...own } = createAddresses(settings, () => http.server.address());
  const border = { log, loop, findCaller: callerIn(database), origins: own.origins };
  const http = await createHttp({
    ...border,
    trustProxy: settings.TRUST_PROXY,
    rateLimit: settings.RATE_LIMIT,
    isPublic: (url) => url === DOCS_PATH || url.startsWith(`${DOCS_PATH}/`),
  });
  const notices = () => ({ database, announce: live.devices, wakePushes: push.wake });
  const live: Live = createLive({
    http,
    ...border,
    inquiries,
    marker,
    redis,
    readNotice: (personId, noticeId) => readNotice(notices(), personId, noticeId),
    socketLimit: settings.SOCKET_LIMIT,
  });
  inquiries.announce = live.announce;
  await serveDocs(http);
  openMetrics(http, metrics, settings.METRICS_TOKEN);
  let stopping = false;
  healthRoutes(http, { database, stopping: () => stopping, degraded: () => (redis?.degraded() ? ['redis'] : []) });
  askRoutes(http, inquiries);
  answerRoutes(http, inquiries);
  reportRoutes(http, { database });
  const held = createHeldCalls({ burstMs: 0, now: () => performance.now() });
  await dialectRoutes(http, { inquiries, notices: notices(), dialects: DIALECTS, held, log });
  deliveryRoutes(http, { database, dispatcher });
  await openAap(http, { inquiries, log, post: dispatcher.post });
  await openReceipts(http, { ...inquiries, publicUrl, retainDays: settings.RETAIN_DAYS });
  noticeRoutes(http, notices());
  const neighbours = joinNeighbours({ database, log, url: settings.NODE_URL });
  const mcpParts = { inquiries, notices: notices(), deciders, neighbours, log, pace, metrics, settings };
  const mcp = await openMcp(http, mcpParts, own);
  push.routes(http);
  deviceRoutes(http, { database, announce: live.devices, ...push.devices });
  enrolmentRoutes(http, { database, announce: live.devices, publicUrl, issuers: settings.TRUSTED_ISSUERS ?? [] });
  await deviceGrantRoutes(http, { database, announce: live.devices, publicUrl, log });
  const makeLink: PeopleDeps['makeLink'] = (trx, whose) => linkForPerson(trx, publicUrl(), whose, database.clock.now());
  const withdraw = withdrawAskedOf(inquiries);
  peopleRoutes(http, { database, makeLink, withdraw, publicUrl, announce: live.devices });
  const yolos = { database, announce: live.announce.yolo, wakePushes: push.wake };
  automationRoutes(http, inquiries, yolos);
  const revoked = (id: string): void => void withdrawRevoked(inquiries, id).catch(() => undefined); // Or hourly.
  sourceRoutes(http, { database, sealingKey: inquiries.sealingKey, revoked, wakeDeliveries: dispatcher.wake });
  const platforms = await openConnections(http, { inquiries, log, publicUrl, revoked });
  await openKeycloak(http, inquiries, settings.KEYCLOAK_ISSUERS);
  await openGates(http, { settings, inquiries, log, metrics, publicUrl, own, pace });
  await servePage(http, { secure: publicUrl().startsWith('https:') });

  let jobs: Jobs | undefined;
  return {
    http,
    async start() {
      if (restored) await restore(inquiries);
      await platforms.start();
      await http.listen({ port: settings.PORT, host: settings.HOST, backlog: BACKLOG });
      dispatcher.wake();
      push.wake();
      const parts = { inquiries, deciders, yolos, nodes: neighbours.count, devices: live.devices, events: mcp.events };
      jobs = startJobs({ ...parts, notices: notices(), publicUrl, loop, push, settings, log });
      return publicUrl();
    },
    async stop() {
      stopping = true;
      loop.stop();
      inquiries.waiters.stop();
      await stopInTurn(
        [
          [2_000, { mcp: mcp.stop, nodes: neighbours.stop, jobs: async () => jobs?.stop(), platforms: platforms.stop }],
          [1_000, { live: live.stop, deciders: deciders.stop }],
          [5_000, { http: () => http.close(), webhooks: () => dispatcher.stop(), pushes: push.stop }],
          [1_000, { marks: marker.stop, collected: inquiries.collected.stop }],
          [1_000, { signals: signals.close, redis: async () => redis?.close(), database: database.close }],
        ],
        log,
      );
    },
  };
}
