import type { LeftBehind } from '#shared/wire.ts';
import { visible } from '#shared/visible.ts';
import { Banner } from '../ui/shell/Banner.tsx';
import { say } from '../ui/language.ts';
import { Quiet } from '../ui/Button.tsx';
import { left } from './left.ts';

const words = {
  en: {
    says: (what: string) => `The removed device had made these, and they stay: ${what}. Please check them.`,
    devices: 'devices',
    people: 'people',
    sources: 'sources',
    gates: 'gates',
    hub: 'the rules for everybody',
    person: 'rules of a person',
    rules: 'Rules',
    list: ', ',
    fine: 'OK',
  },
  zh: {
    says: (what: string) => `移除的设备创建的这些内容仍然保留：${what}。请逐一检查。`,
    devices: '设备',
    people: '成员',
    sources: '来源',
    gates: '审批网关',
    hub: '所有人的规则',
    person: '个人的规则',
    rules: '规则',
    list: '、',
    fine: '好',
  },
};

/** Names what a removed device made, for nothing of it went with it. */
export function Left() {
  const t = say(words);
  const made = left.value && listed(left.value);
  if (!made || made.length === 0) return null;
  return (
    <Banner
      act={
        <>
          {(left.value?.policies.length ?? 0) > 0 && (
            <a class="quiet" href="/automation">
              <span class="link">{t.rules}</span>
            </a>
          )}
          <Quiet onPress={() => (left.value = undefined)}>{t.fine}</Quiet>
        </>
      }
    >
      {t.says(made.join('; '))}
    </Banner>
  );
}

function listed({ devices, people, sources, gates, policies }: LeftBehind): string[] {
  const t = say(words);
  const group = (what: string, names: string[]) =>
    names.length === 0 ? [] : [`${what} ${names.map((name) => visible(name)).join(t.list)}`];
  return [
    ...group(
      t.devices,
      devices.map(({ name }) => name),
    ),
    ...group(
      t.people,
      people.map(({ handle }) => handle),
    ),
    ...group(
      t.sources,
      sources.map(({ name }) => name),
    ),
    ...group(
      t.gates,
      gates.map(({ name }) => name),
    ),
    ...new Set(policies.map(({ of }) => t[of])),
  ];
}
