// An eval of 160 runs for a process that is killed: `node killedEval.mjs RESULTS STARTS`. Each start of a run is a line of STARTS.
import { appendFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { defineEval, runEval, writeJson } from '@toolwright/evals';

const [results, starts] = process.argv.slice(2);
const evaluation = defineEval({
  name: 'killed',
  tasks: Array.from({ length: 40 }, (_, index) => ({ id: `t${index}`, group: `g${index % 7}`, input: index })),
  run: async ({ id, input }, { epoch }) => {
    appendFileSync(starts, `${id} ${epoch}\n`);
    await wait(15 + ((input + epoch) % 10));
    if (input === 13) throw new Error('unlucky');
    return { text: `${id} ${epoch} ${'x'.repeat(3_000)}` };
  },
  score: { even: ({ task, epoch }) => (task.input + epoch) % 2 === 0, half: () => 0.5 },
  epochs: 4,
  gates: { half: { mean: 0.5 } },
});
const report = await runEval(evaluation, { results, onProgress: () => process.stdout.write('.') });
const fixed = { ...report, durationMs: 0, tasks: report.tasks.map((task) => ({ ...task, durationMs: 0 })) };
process.stdout.write(
  `\n${writeJson({ ...fixed, failures: report.failures.map((each) => ({ ...each, durationMs: 0 })) })}`,
);
