import { type OptionNames, requireOptionNames } from 'toolwright/internal';
import { randomInt } from 'node:crypto';
import type { Sandbox, SandboxBridge, SandboxEnd, SandboxLimits, SandboxProgram } from '../Sandbox.js';
import { loadEngine } from './loadEngine.js';
import { EngineWorker } from './EngineWorker.js';
import { HeldPlace } from './HeldPlace.js';
import { ProgramExecution } from './ProgramExecution.js';
import { checkRanges, limitRanges, optionRanges } from './checkRanges.js';
import { SandboxError } from './SandboxError.js';
import { WorkerPool } from './WorkerPool.js';

/** Options of a `QuickJsSandbox`. */
export interface QuickJsSandboxOptions {
  /** Idle workers that are kept ready, 1 to 4; 2 by default. About 10 MB each. */
  readonly workers?: number | undefined;
  /**
   * Maximum number of programs that compute at a time; 16 by default. Others wait, which does not count as their time, and owners
   * take turns. Programs that only wait for an approval do not count.
   */
  readonly maxPrograms?: number | undefined;
}

const optionNames: OptionNames<QuickJsSandboxOptions> = { workers: 1, maxPrograms: 1 };

/**
 * Runs programs in QuickJS, compiled to WebAssembly, in worker threads. Each program gets a fresh instance, which exchanges only
 * strings with the host (docs/contract.md, 25). Requires the package quickjs-wasi. Does not keep the process alive.
 *
 * @example
 * const sandbox = new QuickJsSandbox();
 * const bridge = {
 *   call: async ({ json }: BridgeCall) => ({ ok: true, json }) as const,
 *   write: (_stream: string, text: string) => console.log(text),
 * };
 * const end = await sandbox.run({ body: "return (await echo({ a: 1 }))[0].a;", tools: ['echo'] }, bridge, limits);
 * await sandbox.close();
 */
export class QuickJsSandbox implements Sandbox {
  readonly name = 'quickjs';
  private readonly running = new Set<AbortController>();
  private readonly workers: number;
  private readonly maxPrograms: number;
  private pool: Promise<WorkerPool> | undefined;
  private isClosed = false;

  /** @throws {SandboxError} E652: an option out of range. {PromptError} E413: an unknown option. */
  constructor(options: QuickJsSandboxOptions = {}) {
    requireOptionNames('QuickJsSandbox', options, optionNames);
    const { workers = 2, maxPrograms = 16 } = options;
    checkRanges({ workers, maxPrograms }, optionRanges);
    this.workers = workers;
    this.maxPrograms = maxPrograms;
  }

  /**
   * Runs one program to its end.
   *
   * @throws {SandboxError} E651: quickjs-wasi is not installed. E652: a limit out of range. E653: the sandbox is closed.
   */
  async run(
    { body, tools, seed = randomInt(2 ** 32), now, owner = this }: SandboxProgram,
    bridge: SandboxBridge,
    limits: SandboxLimits,
    signal?: AbortSignal,
  ): Promise<SandboxEnd> {
    checkRanges({ ...limits }, limitRanges);
    if (this.isClosed) throw new SandboxError('the sandbox is closed', { code: 'E653' });
    const cancelled = new AbortController();
    const cancel = (): void => cancelled.abort();
    if (signal?.aborted === true) cancel();
    signal?.addEventListener('abort', cancel);
    this.running.add(cancelled);
    try {
      const pool = await (this.pool ??= this.open(limits));
      const worker = await pool.take(cancelled.signal, owner);
      if (worker === undefined) return { kind: 'cancelled' };
      const place = new HeldPlace(pool, owner);
      const run = new ProgramExecution(worker, bridge, limits, place);
      cancelled.signal.addEventListener('abort', () => run.stop({ kind: 'cancelled' }));
      run.start({ body, tools, seed, now });
      return await run.ended.finally(() => {
        place.close();
        pool.give(worker, owner);
      });
    } finally {
      this.running.delete(cancelled);
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** Stops the workers and cancels running programs. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const cancelled of this.running) cancelled.abort();
    // An engine that never started has already rejected the run that needed it.
    const pool = await this.pool?.catch(() => undefined);
    await pool?.close();
  }

  private async open({ memoryBytes, stackBytes }: SandboxLimits): Promise<WorkerPool> {
    const setup = { ...(await loadEngine(memoryBytes)), size: { memoryBytes, stackBytes } };
    return new WorkerPool(() => new EngineWorker(setup), this.workers, Math.max(this.workers, this.maxPrograms));
  }
}
