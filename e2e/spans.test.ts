import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Decider, Proposal } from '#shared/policies/decider.ts';
import { decide } from './gate/people.ts';
import { modernCall, modernHeaders, sendRaw } from './gate/raw.ts';
import { openScene } from './gate/scene.ts';
import { call, CHILD, INITIALIZE, startWrapped } from './gate/wrapped.ts';
import { must } from './hub/call.ts';
import { startCollector, valueIn, type Span } from './hub/collector.ts';
import { startEndpoint } from './hub/endpoint.ts';
import { startModel } from './hub/model.ts';
import { addSource } from './hub/people.ts';
import { until } from './hub/until.ts';

const STATE = 'acme=00f067aa0ba902b7,other=1';
const traceOf = (digit: string) => ({ traceId: digit.repeat(32), agent: '00f067aa0ba902b7' });
const [ASKED, GATED, WRAPPED] = ['a', 'b', 'c'].map(traceOf) as [Agent, Agent, Agent];
type Agent = ReturnType<typeof traceOf>;
const carried = ({ traceId, agent }: Agent) => ({ traceparent: `00-${traceId}-${agent}-01`, tracestate: STATE });

describe('spans', { timeout: 120_000 }, () => {
  test('OpenTelemetry’s own SDK tells a collector of ask, decider, answer, webhook and gate call, each trace joined from agent to receiver', async (t) => {
    const s = await scene(t, { collected: true });
    const inquiry = await askAndDecide(s, carried(ASKED));
    await gatedCall(s, carried(GATED));
    await until('the webhooks', () => s.told().length === 2);
    // What is yet to be sent goes with the stop.
    await s.hub.stop();
    const spans = s.collector.spans();
    const [ask, ...others] = spansOf(spans, ASKED);
    deepStrictEqual(
      [ask, ...others].map((span) => [span?.name, span?.kind, span?.traceState, parentIn(spans, span)]),
      [
        ['ask', 1, STATE, 'agent'],
        ['decider call', 3, STATE, 'ask'],
        ['answer', 1, STATE, 'ask'],
        ['webhook', 3, STATE, 'ask'],
      ],
    );
    const [decider, answer, webhook] = others;
    deepStrictEqual(
      [ask, decider, answer, webhook].map((span) => valueIn(span?.attributes ?? [], 'beckon.inquiry')),
      Array.from({ length: 4 }, () => inquiry),
    );
    strictEqual(valueIn(webhook?.attributes ?? [], 'http.response.status_code'), 204);
    deepStrictEqual(
      spansOf(spans, GATED).map((span) => [span.name, parentIn(spans, span)]),
      [
        ['gate call', 'agent'],
        ['ask', 'gate call'],
        ['answer', 'ask'],
        ['webhook', 'ask'],
      ],
    );
    // What the receiver makes of it is below the webhook, what the upstream makes of it below the agent, as it came.
    deepStrictEqual(
      s.told().map(({ headers }) => [headers['traceparent'], headers['tracestate']]),
      [ASKED, GATED].map((agent) => {
        const { spanId } = spansOf(spans, agent).find(({ name }) => name === 'webhook') as Span;
        return [`00-${agent.traceId}-${spanId}-01`, STATE];
      }),
    );
    strictEqual(s.upstream.calls[0]?.text.includes(carried(GATED).traceparent), true);
    deepStrictEqual([...new Set(s.collector.services())], ['beckon']);
  });

  test('without its variable nothing of it is loaded, and a trace goes on as it came', async (t) => {
    const s = await scene(t, { collected: false });
    await askAndDecide(s, carried(ASKED));
    await until('the webhook', () => s.told().length === 1);
    const { traceparent, tracestate } = s.told()[0]?.headers ?? {};
    deepStrictEqual({ traceparent, tracestate }, carried(ASKED));
    strictEqual(s.hub.log().includes('OTEL_EXPORTER_OTLP_ENDPOINT'), false);
    deepStrictEqual(s.collector.spans(), []);
  });

  test('the trace of a call of a local server stands on its inquiry, and goes on with its webhook', async (t) => {
    const s = await scene(t, { collected: false });
    const env = { BECKON_URL: s.hub.url, BECKON_KEY: s.key };
    const wrapped = startWrapped([], CHILD.echo, env);
    t.after(async () => {
      wrapped.closeInput();
      await wrapped.ended;
    });
    wrapped.send(INITIALIZE);
    await wrapped.reply(0);
    wrapped.send(call(7, 'pay', '{"to":"bob"}', `,"_meta":${JSON.stringify(carried(WRAPPED))}`));
    wrapped.send(call(8, 'pay', '{"to":"eve"}'));
    const asked = await s.held(2);
    for (const inquiry of asked) await decide(s.hub, s.owner, inquiry, { type: 'reject' });
    await Promise.all([wrapped.reply(7), wrapped.reply(8)]);
    await until('the webhooks', () => s.told().length === 2);
    const told = s.told().map(({ headers, body }) => {
      const { data } = JSON.parse(body) as { data: Inquiry };
      const { traceparent, tracestate } = headers;
      return [JSON.stringify(data.actions?.[0]?.args), { traceparent, tracestate }];
    });
    deepStrictEqual(Object.fromEntries(told), {
      '{"to":"bob"}': carried(WRAPPED),
      '{"to":"eve"}': { traceparent: undefined, tracestate: undefined },
    });
    match(s.hub.log(), new RegExp(`"trace":"${carried(WRAPPED).traceparent}"`));
  });
});

async function scene(t: TestContext, { collected }: { collected: boolean }) {
  const [collector, hooks, model] = [
    await startCollector(),
    await startEndpoint(),
    await startModel({ text: 'Blue.' }),
  ];
  const gates = await openScene(collected ? { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } : {});
  const { hub, owner } = gates;
  t.after(async () => {
    await gates.remove();
    await hooks.close();
    for (const one of [collector, model]) one.close();
  });
  const { key, source } = await addSource(hub, owner, 'Atlas', { webhookUrl: hooks.url });
  const body = { kind: 'chat', name: 'Helper', url: model.url, model: 'm', instructions: 'Be brief.', holdSeconds: 60 };
  const { id } = await must<Decider>(hub, 'POST /v1/deciders', { token: owner.token, body });
  await must(hub, `PATCH /v1/sources/${source.id}`, {
    token: owner.token,
    body: { decider: { id, suggests: false, actions: false, agentMayAsk: false } },
  });
  // That no device could be told is a webhook too.
  const told = () => hooks.got.filter(({ body }) => body.includes('"type":"inquiry.resolved"'));
  return { ...gates, collector, told, key };
}
type Scene = Awaited<ReturnType<typeof scene>>;

/** Asked with this trace, handed to the decider, and answered by a person; the result is the inquiry's id. */
async function askAndDecide({ hub, owner, key }: Scene, headers: Record<string, string>): Promise<string> {
  const { token } = owner;
  const body = { prompt: 'Which colour?' };
  const { id, digest } = await must<Inquiry>(hub, 'POST /v1/inquiries', { token: key, body, headers });
  await must(hub, `POST /v1/inquiries/${id}/decider`, { token, body: {} });
  await until('what the decider says', async () => {
    const { proposal } = await must<{ proposal?: Proposal }>(hub, `GET /v1/inquiries/${id}/proposal`, { token }).catch(
      () => ({ proposal: undefined }),
    );
    const { items } = await must<{ items: object[] }>(hub, `GET /v1/inquiries/${id}/runs`, { token });
    return proposal ?? items.length > 0;
  });
  await must(hub, `POST /v1/inquiries/${id}/answer`, { token, body: { digest, text: 'Green.' } });
  return id;
}

/** A call of a tool behind a gate, whose trace stands in its `_meta`, approved and run. */
async function gatedCall(s: Scene, trace: object): Promise<void> {
  const sent = modernCall('write_note', '{"path":"a","text":"b"}', trace);
  const reply = sendRaw(s.url, sent, { key: s.key, headers: modernHeaders('write_note') });
  const [inquiry] = await s.held();
  await s.decide(inquiry, { type: 'approve' });
  await (
    await reply
  ).text;
}

const spansOf = (spans: Span[], { traceId }: Agent): Span[] =>
  spans
    .filter((span) => span.traceId === traceId && valueIn(span.attributes, 'beckon.type') !== 'inquiry.unreachable')
    .toSorted((a, b) => ORDER.indexOf(a.name) - ORDER.indexOf(b.name));
const ORDER = ['gate call', 'ask', 'decider call', 'answer', 'webhook'];

/** The name of the span that this one is below; the agent's own is not the hub's. */
function parentIn(spans: Span[], span: Span | undefined): string | undefined {
  if (span?.parentSpanId === ASKED.agent) return 'agent';
  return spans.find(({ spanId }) => spanId === span?.parentSpanId)?.name;
}
