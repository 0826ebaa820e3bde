import { describe, type TestContext } from 'node:test';
import { auditContract } from '../../audit/testing/audit.contract.ts';
import { decidersContract } from '../../automation/deciders/config/deciders.contract.ts';
import { policiesContract } from '../../automation/rules/policies.contract.ts';
import { decidingContract } from '../../automation/testing/deciding.contract.ts';
import { delegationContract } from '../../automation/testing/delegation.contract.ts';
import { endingContract } from '../../automation/testing/ending.contract.ts';
import { rulingContract } from '../../automation/testing/ruling.contract.ts';
import { sayingContract } from '../../automation/testing/saying.contract.ts';
import { yoloAskedContract } from '../../automation/testing/yolo-asked.contract.ts';
import { yoloContract } from '../../automation/testing/yolo.contract.ts';
import { lostNodeContract } from '../../connections/testing/lost-node.contract.ts';
import { inquiryDevicesContract } from '../../deliveries/inquiry-devices.contract.ts';
import { dueContract } from '../../deliveries/push/due.contract.ts';
import { quietContract } from '../../deliveries/push/quiet.contract.ts';
import { openScene } from '../../deliveries/push/testing/scene.ts';
import { racesContract } from '../../devices/enrolments/races.contract.ts';
import { presenceContract } from '../../devices/presence.contract.ts';
import { hooksContract } from '../../dialects/testing/hooks.contract.ts';
import { identityContract } from '../../dialects/testing/identity.contract.ts';
import { preferringContract } from '../../dialects/testing/preferring.contract.ts';
import { refusalsContract } from '../../dialects/testing/refusals.contract.ts';
import { waitingContract } from '../../dialects/testing/waiting.contract.ts';
import { validityContract as dialectValidityContract } from '../../dialects/testing/validity.contract.ts';
import { webhooksContract } from '../../dialects/testing/webhooks.contract.ts';
import { answeringContract } from '../../inquiries/testing/answering.contract.ts';
import { tryingContract } from '../../inquiries/testing/trying.contract.ts';
import { assuredContract } from '../../inquiries/testing/assured.contract.ts';
import { askerContract } from '../../inquiries/testing/asker.contract.ts';
import { askingContract } from '../../inquiries/testing/asking.contract.ts';
import { escalatingContract } from '../../inquiries/testing/escalating.contract.ts';
import { handsContract } from '../../inquiries/testing/hands.contract.ts';
import { laterContract } from '../../inquiries/testing/later.contract.ts';
import { listeningContract } from '../../inquiries/testing/listening.contract.ts';
import { passingContract } from '../../inquiries/testing/passing.contract.ts';
import { measuringContract } from '../../inquiries/testing/measuring.contract.ts';
import { openPlace } from '../../inquiries/testing/place.ts';
import { pushingContract } from '../../inquiries/testing/pushing.contract.ts';
import { racingContract } from '../../inquiries/testing/racing.contract.ts';
import { remindersContract } from '../../inquiries/testing/reminders.contract.ts';
import { snapshotsContract } from '../../inquiries/testing/snapshots.contract.ts';
import { sweepingContract } from '../../inquiries/testing/sweeping.contract.ts';
import { turnsContract } from '../../inquiries/testing/turns.contract.ts';
import { validityContract } from '../../inquiries/testing/validity.contract.ts';
import { storedContract } from '../../mcp/endpoint/testing/stored.contract.ts';
import { subscriptionsContract } from '../../mcp/events/testing/subscriptions.contract.ts';
import { holdingContract } from '../../mcp/gate/testing/holding.contract.ts';
import { storedContract as gateStoredContract } from '../../mcp/gate/testing/stored.contract.ts';
import { waitingContract as gateWaitingContract } from '../../mcp/gate/testing/waiting.contract.ts';
import { failingContract } from '../../notices/failing.contract.ts';
import { keycloakContract } from '../../protocols/keycloak/testing/keycloak.contract.ts';
import { instancesContract } from '../../protocols/aap/testing/instances.contract.ts';
import { requestsContract } from '../../protocols/aap/testing/requests.contract.ts';
import { receiptsContract } from '../../receipts/testing/receipts.contract.ts';
import { attentionContract } from '../../reports/attention/attention.contract.ts';
import { historyContract } from '../../reports/testing/history.contract.ts';
import { databaseFor } from './database.ts';

const OF_DIALECTS = [
  hooksContract,
  identityContract,
  preferringContract,
  refusalsContract,
  dialectValidityContract,
  waitingContract,
  webhooksContract,
];

/** Of inquiries themselves, and of what asks, decides and records around them; on Postgres each half is a process. */
type Half = 'inquiries' | 'around';

/**
 * Runs what must hold on either engine of everything above the database; the contracts of the database itself are run
 * beside it. `url` gives each test an empty database: of Postgres, or undefined for SQLite.
 */
export function runContracts(
  engine: string,
  url: () => Promise<string | undefined>,
  halves: Half[] = ['inquiries', 'around'],
): void {
  const database = async (t: TestContext) => databaseFor(t, await url());
  const place = async (t: TestContext) => {
    const opened = await openPlace(await url());
    t.after(opened.close);
    return opened.place;
  };
  const pushes = async (t: TestContext) => {
    let close = async (): Promise<void> => {};
    // What sends stops before its database.
    t.after(() => close());
    const scene = await openScene(await database(t));
    ({ close } = scene);
    return scene;
  };
  const contracts: Record<Half, Record<string, () => void>> = {
    inquiries: {
      answering: () => answeringContract(place),
      asking: () => askingContract(place),
      passkeys: () => assuredContract(place),
      'several people': () => handsContract(place),
      attention: () => attentionContract(place),
      'devices told of an inquiry': () => inquiryDevicesContract(database),
      'endpoints that fail': () => failingContract(database),
      escalations: () => escalatingContract(place),
      later: () => laterContract(place),
      listening: () => listeningContract(place),
      validity: () => validityContract(place),
      'what alerts watch': () => measuringContract(place),
      turns: () => turnsContract(place),
      'nodes that are gone': () => lostNodeContract(url),
      presence: () => presenceContract(database),
      pushing: () => pushingContract(place),
      pushes: () => [dueContract, quietContract].forEach((contract) => contract(pushes)),
      races: () => racingContract(place),
      'races of new devices': () => racesContract(database),
      reminders: () => remindersContract(place),
      snapshots: () => snapshotsContract(place),
      'the history': () => historyContract(place),
      'the sweep': () => sweepingContract(place),
      time: () => passingContract(place),
      'what is tried again': () => tryingContract(place),
      'whoever asked': () => askerContract(place),
    },
    around: {
      AAP: () => [requestsContract, instancesContract].forEach((run) => run(place)),
      'asks of other dialects': () => OF_DIALECTS.forEach((run) => run(place)),
      audit: () => auditContract(place),
      deciders: () => [decidingContract, endingContract].forEach((contract) => contract(place)),
      'events over MCP': () => subscriptionsContract(place),
      gates: () => [holdingContract, gateStoredContract, gateWaitingContract].forEach((contract) => contract(place)),
      'sign-ins of Keycloak': () => keycloakContract(place),
      receipts: () => receiptsContract(place),
      rules: () => rulingContract(place),
      'sessions of older MCP clients': () => storedContract(place),
      'stored deciders': () => decidersContract(database),
      'stored rules': () => policiesContract(database),
      'what deciders say to sources': () => sayingContract(place),
      'what is delegated to deciders': () => delegationContract(place),
      YOLO: () => yoloContract(place),
      'YOLO that a source asks for': () => yoloAskedContract(place),
    },
  };
  for (const half of halves)
    for (const [what, run] of Object.entries(contracts[half])) describe(`${what}, on ${engine}`, run);
}
