import type { Resolution } from '#shared/answer.ts';
import { readSnapshot } from '../inquiries/read.ts';
import { checkCalls, checkEscalations, checkPushes, checkWebhooks, TOLERATED_MS } from './duties.ts';
import type { SimHub } from './hub.ts';
import { checkApprovals, checkHands } from './approvals.ts';
import { checkGates } from './gates.ts';
import type { Must, Page } from './page.ts';
import { checkPolicies } from './policies.ts';
import { checkRest } from './rest.ts';
import type { createStorm } from './storm.ts';
type Resolutions = Map<string, string | null>;

/** Which promises are broken once the network is calm, whatever happened before; none is what must hold. */
export async function brokenPromises(
  hub: SimHub,
  { pages, ids, calls, readings, passed, apart }: ReturnType<typeof createStorm>,
): Promise<string[]> {
  const { broken, must } = collect(hub, ids);
  const { read } = hub.database;
  const rows = await read
    .selectFrom('inquiries')
    .select(['id', 'resolution', 'outcome', 'resolved_at', 'deadline_at'])
    .execute();
  const resolutions: Resolutions = new Map(rows.map(({ id, resolution }) => [id, resolution]));
  must(new Set(hub.resolved).size === hub.resolved.length, 'RES1: an inquiry was resolved twice');
  for (const id of ids) must(resolutions.has(id), 'ASK1: an acknowledged inquiry is gone', id);

  const winners = new Set<string>();
  const kept = new Set((await read.selectFrom('answers').select('id').execute()).map(({ id }) => id));
  for (const page of pages) {
    await agrees(page, hub, { resolutions, apart }, must);
    for (const answered of page.answered) {
      must(kept.has(answered.body.answerId), `ASK1: an answer of ${page.device.name} is gone`, answered.inquiryId);
      wasTold(page, answered, resolutions, must);
      if (!answered.replies[0]?.won) continue;
      must(!winners.has(answered.inquiryId), 'RES1: two answers were told they won', answered.inquiryId);
      winners.add(answered.inquiryId);
    }
  }
  for (const { id, resolution, outcome, resolved_at, deadline_at } of rows) {
    const { by } = JSON.parse(resolution ?? '{}') as Partial<Resolution>;
    must(
      winners.has(id) === (outcome === 'answered' && by?.kind === 'person'),
      'RES1: an answered inquiry and its winner disagree',
      id,
    );
    const inTime = resolved_at === null || resolved_at < deadline_at === (outcome !== 'expired');
    must(inTime, `RES1: it was ${outcome} on the wrong side of its deadline`, id);
  }
  await checkWebhooks(hub, must);
  await checkPushes(hub, must);
  for (const { dueAt, resolvedAt = 0, outcome } of hub.lives.values())
    must(
      outcome !== 'expired' || resolvedAt >= dueAt - TOLERATED_MS - hub.faults.skewMs,
      `RES4: it expired ${dueAt - resolvedAt} ms early`,
    );
  await checkEscalations(hub, must);
  await checkCalls(hub, calls, must);
  await checkGates(hub, passed, must);
  checkApprovals(readings, must);
  await checkHands(read, pages, must);
  await checkPolicies(hub, must);
  return [...new Set(broken)];
}

/** Which promises are broken once everything has been answered too: what never ends, and what a commit did that none may do. */
export async function whatIsLeft(hub: SimHub, { pages, ids }: ReturnType<typeof createStorm>): Promise<string[]> {
  const { broken, must } = collect(hub, ids);
  await checkRest(hub, pages, must);
  for (const { promise, id } of await hub.witness.broken()) must(false, promise, id);
  return [...new Set(broken)];
}

function collect(hub: SimHub, ids: string[]) {
  const broken = [...hub.network.failures];
  const must: Must = (holds, promise, inquiryId) => {
    if (!holds) broken.push(`${promise}${inquiryId === undefined ? '' : ` (inquiry ${ids.indexOf(inquiryId)})`}`);
  };
  return { broken, must };
}

async function agrees(
  { device, state }: Page,
  hub: SimHub,
  { resolutions, apart }: { resolutions: Resolutions; apart: ReadonlyMap<string, number> },
  must: Must,
): Promise<void> {
  const { inquiries, version } = await readSnapshot(hub.nodes[0]!.inquiries, {
    personId: device.personId,
    deviceId: device.id,
  });
  const shown = [...state.open.keys()].toSorted();
  const open = inquiries.map(({ id }) => id).toSorted();
  must(shown.join() === open.join(), `LIV1: ${device.name} shows ${shown.length}, open are ${open.length}`);
  must(state.floor === version, `LIV1: ${device.name} stands at ${state.floor}, its person at ${version}`);
  // What has come back is told by its time alone.
  const isApart = (at: string | undefined) => at !== undefined && Date.parse(at) > hub.database.clock.now();
  for (const { id, laterAt } of inquiries) {
    const told = state.later.get(id)?.at;
    must(
      isApart(told) === isApart(laterAt),
      `DLV4: ${device.name} has it under Later until ${told}, not ${laterAt}`,
      id,
    );
    const ends = apart.get(`${device.personId} ${id}`) ?? 0;
    must(isApart(laterAt) || ends < hub.schedule.now + 2 * TOLERATED_MS, 'DLV4: it came back too soon', id);
  }
  for (const [id, resolution] of state.resolutions) {
    must(JSON.stringify(resolution) === resolutions.get(id), `RES2: ${device.name} knows another resolution`, id);
  }
}

function wasTold(
  { device: { name } }: Page,
  { inquiryId, replies }: Page['answered'][number],
  resolutions: Resolutions,
  must: Must,
): void {
  must(replies.length > 0, `RES2: ${name} was never told what became of its answer`, inquiryId);
  must(
    new Set(replies.map(({ won }) => won)).size <= 1,
    `RES2: ${name} was told two things about one answer`,
    inquiryId,
  );
  for (const reply of replies) {
    const { resolution } = 'inquiry' in reply ? reply.inquiry : reply;
    must(
      resolution === undefined || JSON.stringify(resolution) === resolutions.get(inquiryId),
      `RES2: ${name} was told another resolution`,
      inquiryId,
    );
  }
}
