/** The least that passes a stream on in Node: what this costs no relay can save. Run as a child with the platform's address; prints its own. */
import { Agent, createServer, request } from 'node:http';

const [platform = ''] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });

const http = createServer(({ url = '', method = '', headers }, reply) => {
  const { host: _host, ...passed } = headers;
  const call = request(platform + url, { agent, method, headers: passed }, (answer) => {
    reply.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    answer.pipe(reply);
  });
  reply.on('close', () => call.destroy());
  call.end('{}');
});
http.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(http.address() as { port: number }).port}\n`);
});
