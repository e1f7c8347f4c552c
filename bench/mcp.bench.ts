// Measures the CPU time that an MCP server takes for one call of a tool over HTTP, beside the server of MCP SDK 2 with the same tool.
// Each server is a process of its own with one session; the client is this process and is not counted.
import { inForm } from './harness/effort.js';
import { Measured, type Round } from './harness/measure.js';
import { Report } from './harness/Report.js';
import { ServerProcess } from './harness/ServerProcess.js';

const SDK = 'MCP SDK 2';
const ROUNDS = inForm(21, 9);
const CALLS = inForm(500, 300);
const files: Readonly<Record<string, string>> = {
  toolwright: 'build/bench/tasks/serveOrders.js',
  ...(process.env['BENCH_ALONE'] === undefined ? { [SDK]: 'bench/peers/mcp.mjs' } : {}),
};

async function main(): Promise<void> {
  const servers: [string, ServerProcess][] = [];
  for (const [name, file] of Object.entries(files)) servers.push([name, await ServerProcess.start(file)]);
  for (const [, server] of servers) await server.timeCalls(10 * CALLS);
  const rounds: Round<string>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const turn = round % servers.length;
    const times: [string, number][] = [];
    for (const [name, server] of [...servers.slice(turn), ...servers.slice(0, turn)])
      times.push([name, await server.timeCalls(CALLS)]);
    rounds.push(Object.fromEntries(times));
  }
  for (const [, server] of servers) server.close();
  const measured = new Measured(rounds);
  const report = new Report('mcp');
  for (const [name] of servers) report.add(`server CPU of a call over HTTP, ${name}`, measured.time(name), 'ms');
  if (measured.has(SDK))
    report.add(`server CPU of a call over HTTP, toolwright / ${SDK}`, measured.ratio('toolwright', SDK), 'x', 1.1);
  report.keep();
}

void main();
