import type { Context, Tracer } from '@opentelemetry/api';
import type { Log } from './log.ts';
import { exportSpansTo, traceHeaders, withTrace, type ExportSpan } from './trace.ts';

/** None of them comes with the hub: whoever wants spans installs them beside it. `@opentelemetry/api` is there, since prom-client uses it. */
const INSTALL =
  'npm install @opentelemetry/resources@3 @opentelemetry/sdk-trace@3 @opentelemetry/exporter-trace-otlp-http@0.301';
/** A collector that is away holds up no stop. */
const FLUSH_WITHIN_MS = 1_000;

/**
 * Exports spans with OpenTelemetry's own SDK over OTLP/HTTP, to where its variables say (`OTEL_EXPORTER_OTLP_…`,
 * `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`). Resolves with what sends the last ones. Without the packages the log
 * says what is missing, and the hub does without spans.
 */
export async function startSpans(log: Log, version: string): Promise<() => Promise<void>> {
  const sdk = await loadSdk().catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    log.error(
      `OTEL_EXPORTER_OTLP_ENDPOINT is set, but OpenTelemetry is not installed beside the hub, so no spans are exported: ${INSTALL}`,
    );
  });
  if (!sdk) return async () => undefined;
  const { BatchSpanProcessor, TracerProvider, OTLPTraceExporter, detectResources, envDetector } = sdk;
  const own = sdk.resourceFromAttributes({ 'service.name': 'beckon', 'service.version': version });
  const provider = new TracerProvider({
    resource: own.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  exportSpansTo(exporterOf(sdk, provider.getTracer('beckon', version)));
  return async () => {
    exportSpansTo(undefined);
    const late = AbortSignal.timeout(FLUSH_WITHIN_MS);
    await Promise.race([
      provider.shutdown().catch((error: unknown) => log.warn({ err: error }, 'the last spans were not taken')),
      new Promise((resolve) => late.addEventListener('abort', resolve)),
    ]);
  };
}

type Sdk = Awaited<ReturnType<typeof loadSdk>>;

async function loadSdk() {
  const [api, resources, trace, otlp] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]);
  return { ...api, ...resources, ...trace, ...otlp };
}

/** Makes a span of each piece of work, below the span that its trace names; what the work does is below this one. */
function exporterOf(
  { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, createTraceState }: Sdk,
  tracer: Tracer,
): ExportSpan {
  const parentOf = (of: string | null | undefined): Context => {
    const { traceparent, tracestate } = traceHeaders(of);
    if (traceparent === undefined) return ROOT_CONTEXT;
    const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-');
    const state = tracestate === undefined ? {} : { traceState: createTraceState(tracestate) };
    const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true, ...state };
    return trace.setSpanContext(ROOT_CONTEXT, parent);
  };
  return ({ name, calls, about = {}, after }, of, work) => {
    const kind = calls ? SpanKind.CLIENT : SpanKind.INTERNAL;
    const span = tracer.startSpan(name, { kind, attributes: about }, parentOf(of));
    const ended = (error?: unknown): void => {
      if (error !== undefined) {
        span.recordException(error instanceof Error ? error : new Error('what was thrown is no error'));
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    };
    const { traceId, spanId, traceFlags, traceState } = span.spanContext();
    const flags = traceFlags.toString(16).padStart(2, '0');
    const state = traceState?.serialize();
    const own = `00-${traceId}-${spanId}-${flags}${state ? ` ${state}` : ''}`;
    try {
      const done = withTrace(own, work);
      void Promise.resolve(done).then((result) => {
        if (after) span.setAttributes(after(result));
        ended();
      }, ended);
      return done;
    } catch (error) {
      ended(error);
      throw error;
    }
  };
}
