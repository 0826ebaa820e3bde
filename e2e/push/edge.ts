// Stands at the network's edge of a hub under test: loaded before it, it leads connections to the public push services,
// which cannot be reached from a test, to the post office of the tests. The hub itself is untouched: it checks the
// endpoints' addresses and the certificate as ever.
import tls from 'node:tls';

const ports = JSON.parse(process.env['BECKON_TEST_EDGE'] ?? '{}') as Record<string, number>;
const connect = tls.connect as (...args: unknown[]) => tls.TLSSocket;

tls.connect = ((...args: unknown[]) => {
  const [options, ...rest] = args;
  const port = ports[(options as tls.ConnectionOptions | undefined)?.host ?? ''];
  if (port === undefined) return connect(...args);
  return connect({ ...(options as tls.ConnectionOptions), host: '127.0.0.1', port }, ...rest);
}) as typeof tls.connect;
