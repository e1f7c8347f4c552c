import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { bundledProject } from '../../../../spec/toolchain/support/bundledProject';
import { Workspace } from '../../../../spec/toolchain/support/Workspace';
import type { WorkerConfig } from './worker';

const root = resolve(__dirname, '../../../..');

/** The processes of a test: those of `worker.ts`. */
export class Processes {
  readonly #workspace = new Workspace();
  readonly #running = new Set<ChildProcess>();
  readonly #folders: string[] = [];
  readonly #node: string;
  #project = '';

  constructor(node = process.execPath) {
    this.#node = node;
  }

  async build(): Promise<void> {
    const main = readFileSync(join(__dirname, 'worker.ts'), 'utf8');
    this.#project = await bundledProject(this.#workspace, join(__dirname, 'desk.ts'), main);
  }

  fresh(): string {
    const folder = mkdtempSync(join(tmpdir(), 'toolwright-processes-'));
    this.#folders.push(folder);
    return folder;
  }

  /** Starts a worker, and resolves once it works. */
  async work(config: WorkerConfig): Promise<ChildProcess> {
    const worker = this.#spawn('work', config);
    const [ready] = (await Promise.race([once(worker.stdout ?? worker, 'data'), once(worker, 'exit')])) as [unknown];
    if (!String(ready).includes('works')) throw new TypeError(`The worker did not begin: ${String(ready)}`);
    return worker;
  }

  /** Runs a command to its end; returns what it said, line by line. */
  async run(command: string, config: WorkerConfig): Promise<readonly unknown[]> {
    const child = this.#spawn(command, config);
    let [out, problems] = ['', ''];
    child.stdout?.on('data', (data: Buffer) => (out += data.toString()));
    child.stderr?.on('data', (data: Buffer) => (problems += data.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new TypeError(`${command} ended with ${String(code)}:\n${problems}`);
    return out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as unknown);
  }

  /** Ends what still runs. */
  async end(): Promise<void> {
    const running = [...this.#running];
    const ended = running.map((child) => once(child, 'exit'));
    for (const child of running) child.kill('SIGKILL');
    await Promise.all(ended);
  }

  async close(): Promise<void> {
    await this.end();
    this.#workspace.close();
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true });
  }

  #spawn(command: string, config: WorkerConfig): ChildProcess {
    const { NODE_OPTIONS: _options, ...env } = process.env;
    const args = ['bundled/main.js', command, JSON.stringify(config)];
    const child = spawn(this.#node, args, { cwd: this.#project, env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#running.add(child);
    child.once('exit', () => this.#running.delete(child));
    return child;
  }
}

export { root };
