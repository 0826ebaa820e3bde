import type { ComponentType } from 'preact';
import type { PLACES } from './places.ts';

export type FetchPlace = Record<(typeof PLACES)[number], () => Promise<ComponentType<object>>>;

/**
 * How each place is fetched. It is a file of its own because the names of all their parts would otherwise travel with
 * the first page.
 */
export const fetchPlace: FetchPlace = {
  history: () => import('../history/History.tsx').then(({ History }) => History),
  attention: () => import('../attention/Attention.tsx').then(({ Attention }) => Attention),
  devices: () => import('../devices/Devices.tsx').then(({ Devices }) => Devices),
  passkeys: () => import('../passkeys/Passkeys.tsx').then(({ Passkeys }) => Passkeys),
  connect: () => import('../connect/Connect.tsx').then(({ Connecting }) => Connecting),
  sources: () => import('../connect/source/OneSource.tsx').then(({ SourcePlace }) => SourcePlace),
  connections: () => import('../connections/Connections.tsx').then(({ Connections }) => Connections),
  share: () => import('../inbox/share/Shared.tsx').then(({ Shared }) => Shared),
  automation: () => import('../automation/Automation.tsx').then(({ Automation }) => Automation),
  rules: () => import('../policies/page/Rules.tsx').then(({ Rules }) => Rules),
  yolo: () => import('../yolo/YoloPage.tsx').then(({ YoloPage }) => YoloPage),
  deciders: () => import('../deciders/Deciders.tsx').then(({ Deciders }) => Deciders),
  quiet: () => import('../quiet/QuietHours.tsx').then(({ QuietHours }) => QuietHours),
  steps: () => import('../first-steps/FirstSteps.tsx').then(({ FirstSteps }) => FirstSteps as ComponentType<object>),
  settings: () => import('../settings/Settings.tsx').then(({ Settings }) => Settings),
};
