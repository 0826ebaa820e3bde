import type { Outcome, Step, Tool } from './step.ts';

export type Totals = { passed: number; failed: number; ms: number };
/** What the machine lacks, each with the sentence that says how to get it. */
export type Missing = Map<Tool, string>;

type Watching = {
  print?: (text: string) => void;
  now?: () => number;
  /** Is told of each step that has ended. */
  after?: (step: string, outcome: Outcome, ms: number) => void;
};

/**
 * Runs the steps in order, what is no suite beside the one before it and one that mostly waits from the first suite on, and
 * prints one line for each. Stops at the first that fails; one that lacks a tool, and one of tests, lets the others run all
 * the same.
 */
export async function runSteps(
  steps: Step[],
  missing: Missing,
  { print = console.log, now = Date.now, after = () => {} }: Watching = {},
): Promise<Totals> {
  const began = now();
  const totals = { passed: 0, failed: 0 };
  const run = async (step: Step) => {
    const lacking = step.needs.find((tool) => missing.has(tool));
    const start = now();
    const outcome = lacking ? notRun(missing.get(lacking)) : await step.run();
    return { lacking, outcome, ms: now() - start };
  };
  const begun = new Map<Step, ReturnType<typeof run>>();
  for (const [index, step] of steps.entries()) {
    const beside = steps.filter((other, at) => (step.isSuite ? other.mostlyWaits : at === index + 1 && !other.isSuite));
    for (const one of [step, ...beside]) if (!begun.has(one)) begun.set(one, run(one));
    const { lacking, outcome, ms } = await begun.get(step)!;
    after(step.name, outcome, ms);
    totals.passed += outcome.passed;
    totals.failed += outcome.failed;
    print(line(step.name, outcome, ms));
    if (outcome.failed === 0) continue;
    print(`\n${outcome.output.trimEnd()}\n`);
    if (lacking || step.isSuite) continue;
    const rest = steps.filter((other) => !begun.has(other)).map(({ name }) => name);
    if (rest.length > 0) print(`Not run: ${rest.join(', ')}.`);
    break;
  }
  return { ...totals, ms: now() - began };
}

/** What to read before the first step: what the machine lacks, and the steps that therefore show nothing. */
export function gaps(steps: Step[], missing: Missing): string[] {
  return [...missing].flatMap(([tool, sentence]) => {
    const lost = steps.filter(({ needs }) => needs.includes(tool)).map(({ name }) => name);
    return lost.length > 0 ? [`${sentence}\nWithout it nothing is shown by: ${lost.join(', ')}.\n`] : [];
  });
}

/** The last line of the run. */
export function finalLine({ passed, failed, ms }: Totals): string {
  return `\n${passed} passed, ${failed} failed, in ${duration(ms)}`;
}

function notRun(sentence: string | undefined): Outcome {
  return { passed: 0, failed: 1, output: sentence ?? '' };
}

function line(name: string, { passed, failed }: Outcome, ms: number): string {
  const mark = failed === 0 ? '✔' : '✖';
  const counts = passed + failed > 1 ? `${passed} passed${failed > 0 ? `, ${failed} failed` : ''}` : '';
  return `${mark} ${name.padEnd(30)} ${duration(ms).padStart(12)}   ${counts}`.trimEnd();
}

function duration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
