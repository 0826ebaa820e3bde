import './source-request.css';
import type { AccessRequest } from '#shared/schemas/enrolments.ts';
import { visible } from '#shared/visible.ts';
import { Refused } from '../app/form/Wrong.tsx';
import { dropAccessRequest } from '../live/enrolments.ts';
import { Button } from '../ui/Button.tsx';
import { say } from '../ui/language.ts';
import { clockTime } from '../ui/times.ts';
import { allow, refuseEnrolment } from './enrol.ts';
import { Card, useAct } from './RequestCard.tsx';

const en = {
  request: 'Request for a key',
  wants: (name: string) => `${name} wants a key.`,
  from: (host: string, address: string) => (host === '' ? `From ${address}` : `On ${host}, from ${address}`),
  title: (name: string) => `Give ${name} a key?`,
  asked: (time: string) => `, asked at ${time}.`,
  then: 'It may ask you, and answers nothing. You can revoke its key at any time.',
  code: 'Code',
  compare:
    'Approve only if you started this yourself and its screen shows the same code. If somebody sent you here, reject it.',
  approve: 'Same code, approve',
  reject: 'Reject',
};
const zh: typeof en = {
  request: '密钥请求',
  wants: (name) => `${name} 想要一个密钥。`,
  from: (host, address) => (host === '' ? `来自 ${address}` : `在 ${host} 上，来自 ${address}`),
  title: (name) => `给 ${name} 一个密钥？`,
  asked: (time) => `，${time} 发出。`,
  then: '它能向你提问，不能答复。你随时可以撤销它的密钥。',
  code: '代码',
  compare: '只有这是你自己发起的，并且那边的屏幕显示同样的代码，才批准。如果是别人让你来的，请拒绝。',
  approve: '代码一致，批准',
  reject: '拒绝',
};
const words = { en, zh };

type Source = NonNullable<AccessRequest['source']>;

/** What the toast says of an agent that asks for a key. */
export function sourceToast({ deviceName, address }: AccessRequest, { host = '' }: Source) {
  const t = say(words);
  return {
    label: t.request,
    name: t.wants(visible(deviceName, true)),
    more: t.from(visible(host, true), address),
  };
}

/** An agent asks for the key of a source: who, from where, and the code to compare before the yes. */
export function SourceRequestCard({ request, source }: { request: AccessRequest; source: Source }) {
  const t = say(words);
  const { act, problem } = useAct(request, dropAccessRequest);
  const name = visible(request.deviceName, true);
  return (
    <Card title={t.title(name)} expiresAt={request.expiresAt}>
      <p class="dim">
        {t.from(visible(source.host ?? '', true), request.address)}
        {t.asked(clockTime(Date.parse(source.askedAt)))}
      </p>
      <p class="user-code" role="img" aria-label={`${t.code} ${[...source.userCode].join(' ')}`}>
        {source.userCode}
      </p>
      <p class="hint">{t.compare}</p>
      <p class="hint">{t.then}</p>
      <Refused problem={problem} />
      <div class="bar-do">
        <Button look="line" onPress={() => act(() => refuseEnrolment(request.enrolmentId))}>
          {t.reject}
        </Button>
        <Button onPress={() => act(() => allow(request))}>{t.approve}</Button>
      </div>
    </Card>
  );
}
