// An editor on the official SDK of the Agent Client Protocol, without a screen: one prompt, and a line of JSON for all that it
// would show. `answer`: the kind of the option that it takes, "cancel" for the turn, "never" to wait until it is told not to.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';

const [packages, version, answer, program, ...args] = process.argv.slice(2);
const { resolve } = createRequire(`${packages}/package.json`);
const entry = version === '2' ? '@agentclientprotocol/sdk/experimental/v2' : '@agentclientprotocol/sdk';
const { client, methods, ndJsonStream } = await import(pathToFileURL(resolve(entry)).href);

const tell = (what) => console.log(JSON.stringify(what));
const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
const ended = new Promise((told) => child.once('exit', told));
const idle = Promise.withResolvers();
let session;

async function ask({ params, signal, agent }) {
  tell({ asked: params });
  const option = params.options?.find(({ kind }) => kind === answer);
  if (option) return { outcome: { outcome: 'selected', optionId: option.optionId } };
  if (answer === 'cancel') await agent.notify(methods.agent.session.cancel, { sessionId: session });
  else await new Promise((told) => signal.addEventListener('abort', told));
  tell({ left: params.options ? 'permission' : 'form' });
  return params.options ? { outcome: { outcome: 'cancelled' } } : { action: 'cancel' };
}

const app = client({ name: 'editor' })
  .onRequest(methods.client.session.requestPermission, ask)
  .onRequest(methods.client.elicitation.create, ask)
  .onNotification(methods.client.session.update, ({ params: { update } }) => {
    if (update.sessionUpdate === 'state_update' && update.state === 'idle') idle.resolve(update);
  });
const me = { name: 'editor', version: '1' };
const can = { elicitation: { form: {} } };
await app.connectWith(ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout)), async (agent) => {
  await agent.request(methods.agent.initialize, {
    protocolVersion: Number(version),
    ...(version === '2' ? { info: me, capabilities: can } : { clientInfo: me, clientCapabilities: can }),
  });
  const opened = await agent.request(methods.agent.session.new, { cwd: process.cwd(), mcpServers: [] });
  session = opened.sessionId;
  const prompt = [{ type: 'text', text: 'Go on.' }];
  const done = await agent.request(methods.agent.session.prompt, { sessionId: session, prompt });
  tell({ stop: version === '2' ? (await idle.promise).stopReason : done.stopReason });
});
child.stdin.end();
tell({ code: await ended });
