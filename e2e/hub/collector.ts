import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

type Value = { stringValue?: string; intValue?: number; boolValue?: boolean };
type Attribute = { key: string; value: Value };
/** A span as OTLP/HTTP writes it in JSON. */
export type Span = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  traceState?: string;
  name: string;
  kind: number;
  attributes: Attribute[];
  status?: { code?: number };
};
type Export = {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: Span[] }[] }[];
};

/** Stands for OpenTelemetry's collector: it takes spans over OTLP/HTTP as JSON and keeps them. */
export async function startCollector() {
  const exports: Export[] = [];
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      if (request.url === '/v1/traces') exports.push(body as Export);
      response.writeHead(request.url === '/v1/traces' ? 200 : 404, { 'content-type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const resources = () => exports.flatMap(({ resourceSpans }) => resourceSpans);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: (): Span[] => resources().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    services: (): (string | undefined)[] =>
      resources().map(({ resource }) => valueIn(resource.attributes, 'service.name') as string | undefined),
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** What stands in an attribute of a span. */
export function valueIn(attributes: Attribute[], key: string): string | number | boolean | undefined {
  const value = attributes.find((one) => one.key === key)?.value;
  return value?.stringValue ?? value?.intValue ?? value?.boolValue;
}
