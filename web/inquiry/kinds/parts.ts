import { later } from '../../app/later.tsx';

/** What a letter that asks to run calls is shown with; fetched before such a letter is opened, or with it. */
export const Calls = later(() => import('./Calls.tsx').then(({ Calls: ready }) => ready));
