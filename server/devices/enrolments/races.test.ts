import { enrolmentRaces } from './races.contract.ts';

enrolmentRaces(() => undefined);
