// Measures the CPU time that an MCP server takes for one call of a tool over HTTP, beside the server of MCP SDK 2 with the same tool.
// Each server is a process of its own, once with one session (2025-11-25) and once without sessions (2026-07-28); the client is this
// process and is not counted.
import { inForm } from './harness/effort.js';
import { Measured, type Round } from './harness/measure.js';
import { Report } from './harness/Report.js';
import { ServerProcess } from './harness/ServerProcess.js';

const SDK = 'MCP SDK 2';
const ROUNDS = inForm(21, 9);
const CALLS = inForm(500, 300);
const isAlone = process.env['BENCH_ALONE'] !== undefined;
/** The revisions: the words of their rows, the program of the SDK, and the ratio to stay below. */
const revisions = [
  { words: 'a call over HTTP', peer: 'bench/peers/mcp.mjs', isStateless: false, atMost: 1.1 },
  { words: 'a call over HTTP without sessions', peer: 'bench/peers/mcpStateless.mjs', isStateless: true, atMost: 1.25 },
];

async function main(): Promise<void> {
  const report = new Report('mcp');
  for (const { words, peer, isStateless, atMost } of revisions) {
    const files: Readonly<Record<string, string>> = {
      toolwright: 'build/bench/tasks/serveOrders.js',
      ...(isAlone ? {} : { [SDK]: peer }),
    };
    const measured = await measureServers(files, isStateless);
    for (const name of Object.keys(files)) report.add(`server CPU of ${words}, ${name}`, measured.time(name), 'ms');
    if (measured.has(SDK))
      report.add(`server CPU of ${words}, toolwright / ${SDK}`, measured.ratio('toolwright', SDK), 'x', atMost);
  }
  report.keep();
}

async function measureServers(
  files: Readonly<Record<string, string>>,
  isStateless: boolean,
): Promise<Measured<string>> {
  const servers: [string, ServerProcess][] = [];
  for (const [name, file] of Object.entries(files)) servers.push([name, await ServerProcess.start(file, isStateless)]);
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
  return new Measured(rounds);
}

void main();
