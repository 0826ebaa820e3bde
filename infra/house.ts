// npm run house: what the house measures, what each may be at most, and what it is to become.
import { budgets } from './house/budgets.ts';
import { FLOWS } from './house/flows.ts';
import { readFiles } from './house/tree.ts';

const rows = budgets(readFiles(['{shared,server,web}/**/*.{ts,tsx,mjs,css}', '*.md', 'infra/README.md']));
console.log(`${''.padEnd(72)}${['now', 'at most', 'aim'].map((word) => word.padStart(9)).join('')}`);
for (const { name, measured, most, aim } of rows)
  console.log(`${name.padEnd(72)}${[measured, most, aim].map((number) => String(number).padStart(9)).join('')}`);
for (const [name, { files }] of Object.entries(FLOWS)) console.log(`\n${name}\n  ${files.join('\n  ')}`);
