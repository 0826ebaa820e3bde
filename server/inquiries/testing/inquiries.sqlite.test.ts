import { attentionContract } from '../../reports/attention/attention.contract.ts';
import { answeringContract } from './answering.contract.ts';
import { decidingContract } from '../../automation/testing/deciding.contract.ts';
import { endingContract } from '../../automation/testing/ending.contract.ts';
import { delegationContract } from '../../automation/testing/delegation.contract.ts';
import { historyContract } from '../../reports/testing/history.contract.ts';
import { listeningContract } from './listening.contract.ts';
import { passingContract } from './passing.contract.ts';
import { askerContract } from './asker.contract.ts';
import { askingContract } from './asking.contract.ts';
import { pushingContract } from './pushing.contract.ts';
import { sayingContract } from '../../automation/testing/saying.contract.ts';
import { sweepingContract } from './sweeping.contract.ts';
import { racingContract } from './racing.contract.ts';
import { rulingContract } from '../../automation/testing/ruling.contract.ts';
import { snapshotsContract } from './snapshots.contract.ts';
import { yoloAskedContract } from '../../automation/testing/yolo-asked.contract.ts';
import { yoloContract } from '../../automation/testing/yolo.contract.ts';
import { describe, type TestContext } from 'node:test';
import { openPlace, type Place } from './place.ts';

async function place(t: TestContext): Promise<Place> {
  const opened = await openPlace();
  t.after(opened.close);
  return opened.place;
}

describe('asking on SQLite', () => askingContract(place));
describe('whoever asked, on SQLite', () => askerContract(place));
describe('answering on SQLite', () => answeringContract(place));
describe('time on SQLite', () => passingContract(place));
describe('the history on SQLite', () => historyContract(place));
describe('pushing on SQLite', () => pushingContract(place));
describe('the sweep on SQLite', () => sweepingContract(place));
describe('rules on SQLite', () => rulingContract(place));
describe('deciders on SQLite', () => decidingContract(place));
describe('what deciders say to sources on SQLite', () => sayingContract(place));
describe('races on SQLite', () => racingContract(place));
describe('what is delegated to deciders on SQLite', () => delegationContract(place));
describe('YOLO on SQLite', () => yoloContract(place));
describe('attention on SQLite', () => attentionContract(place));
describe('YOLO that a source asks for on SQLite', () => yoloAskedContract(place));
describe('what is left of deciders on SQLite', () => endingContract(place));
describe('snapshots on SQLite', () => snapshotsContract(place));
describe('listening on SQLite', () => listeningContract(place));
