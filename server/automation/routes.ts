import type { Http } from '../platform/http/server.ts';
import type { Automation } from './automation.ts';
import { deciderRoutes } from './deciders/config/routes.ts';
import { proposalRoutes } from './deciders/routes.ts';
import { policyRoutes } from './rules/routes.ts';
import { yoloAskRoute, yoloRoutes } from './yolo/routes.ts';
import type { Yolos } from './yolo/yolo.ts';

/** Rules, deciders with what they propose, and YOLO. */
export function automationRoutes(app: Http, automation: Automation, yolos: Yolos): void {
  policyRoutes(app, automation);
  deciderRoutes(app, automation);
  proposalRoutes(app, automation);
  yoloRoutes(app, yolos);
  yoloAskRoute(app, automation);
}
