// Runs a hundred thousand tasks with long answers, and reads the results again: `node manyTasks.mjs RESULTS`.
import { defineEval, readReport, runEval } from '@toolwright/evals';

const [results] = process.argv.slice(2);
function* listTasks() {
  for (let index = 0; index < 100_000; index++) yield { id: `task ${index}`, input: index };
}
const evaluation = defineEval({
  name: 'many',
  tasks: listTasks,
  run: ({ input }) => ({ text: `${input} ${'x'.repeat(1_000)}` }),
  score: { number: ({ text, task }) => text.startsWith(`${task.input} `) },
});
const { runs, passed } = await runEval(evaluation, { results });
const { runs: read } = await readReport(results);
console.log(JSON.stringify({ finished: runs.finished, read: read.finished, passed }));
