import { deepStrictEqual } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';

const GUIDE = readFileSync(new URL('../../../infra/agents.md', import.meta.url), 'utf8');

const PROGRAM = `
import asyncio, sys, types
sdk = types.ModuleType("claude_agent_sdk")
sdk.PermissionResultAllow = sdk.PermissionResultDeny = dict
sys.modules["claude_agent_sdk"] = sdk
exec(sys.argv[1])
async def main():
    task = asyncio.create_task(can_use_tool("Bash", {}, None))
    await asyncio.to_thread(sys.stdin.read)
    task.cancel()
asyncio.run(main())
`;

test(
  "the guide's can_use_tool in Python takes its question back when its task is cancelled",
  { timeout: 20_000 },
  async (t) => {
    const [, section = ''] = GUIDE.split('\n## Claude Agent SDK\n');
    const [, block = ''] = /```python\n(.*?)```/s.exec(section) ?? [];
    const calls: string[] = [];
    const hub = createServer((request, response) => {
      calls.push(request.url ?? '');
      if (calls.length > 1) return response.end('{}');
      response.writeHead(200, { 'beckon-ask': 'ask-1' });
      const spaces = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(spaces));
      return child.stdin.end();
    });
    hub.listen(0, '127.0.0.1');
    await once(hub, 'listening');
    const url = `http://127.0.0.1:${(hub.address() as AddressInfo).port}`;
    const env = { ...process.env, BECKON_URL: url, BECKON_KEY: 'a', PYTHONDONTWRITEBYTECODE: '1' };
    const child = spawn('python3', ['-c', PROGRAM, block], { cwd: import.meta.dirname, env });
    let err = '';
    child.stderr.on('data', (data: Buffer) => (err += data.toString()));
    t.after(() => {
      child.kill();
      hub.close();
    });
    await once(child, 'close');
    deepStrictEqual([calls, err], [['/v1/ask/claude?deadline=3600', '/v1/asks/ask-1/withdraw'], '']);
  },
);
