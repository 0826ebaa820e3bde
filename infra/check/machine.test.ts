import { deepStrictEqual, match } from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { equipMachine, locate } from './machine.ts';

// A machine whose package manager knows Redis and nothing else.
const APT = `#!/bin/sh
echo "$*" >>"$0.log"
case "$*" in
  *redis-server) : >"\${0%/*}/redis-server" ;;
  update*) ;;
  *) exit 100 ;;
esac
`;
const SUDO = '#!/bin/sh\n[ "$*" = "-n true" ] && exit 0\nshift 2\nexec "$@"\n';

test('what is missing is installed one by one, and what cannot be is named with the way to get it', (t) => {
  const machine = mkdtempSync(join(tmpdir(), 'beckon-machine-'));
  const { PATH, HOME } = process.env;
  t.after(() => {
    Object.assign(process.env, { PATH, HOME });
    rmSync(machine, { recursive: true });
  });
  Object.entries({ 'apt-get': APT, sudo: SUDO }).forEach(([name, text]) => writeFileSync(join(machine, name), text));
  for (const name of ['apt-get', 'sudo']) chmodSync(join(machine, name), 0o755);
  process.env['PATH'] = machine;
  process.env['HOME'] = machine;

  const missing = equipMachine();

  deepStrictEqual([locate('Redis'), missing.has('Redis')], [join(machine, 'redis-server'), false]);
  match(missing.get('Chromium') ?? '', /^Chromium is missing; install it with: sudo apt-get install -y .*chromium$/);
  match(readFileSync(join(machine, 'apt-get.log'), 'utf8'), /^update -qq\ninstall .* chromium\n/);
});
