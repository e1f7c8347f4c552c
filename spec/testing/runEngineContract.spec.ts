import { setTimeout as sleep } from 'node:timers/promises';
import { type EngineKit, runEngineContract } from '@toolwright/contracts';
import type { CarryJob, EngineJob, RunEngine } from '@toolwright/durable';

interface Waiting {
  readonly job: EngineJob;
  readonly due: number;
}

class Memory {
  waiting: Waiting[] = [];
  readonly active = new Set<string>();
}

/** An engine in memory that keeps the contract; subclasses break it in one way each. */
class MemoryEngine implements RunEngine {
  readonly isTransactional = true;
  protected readonly memory: Memory;
  protected timer: NodeJS.Timeout | undefined;
  readonly #carrying = new Set<Promise<void>>();

  constructor(memory: Memory) {
    this.memory = memory;
  }

  enqueue(job: EngineJob, { delayMs = 0 }: { delayMs?: number | undefined } = {}, tx?: unknown): Promise<void> {
    const waiting = tx === undefined ? this.memory.waiting : (tx as Waiting[]);
    waiting.push({ job, due: performance.now() + delayMs });
    return Promise.resolve();
  }

  work(carry: CarryJob): Promise<void> {
    this.timer = setInterval(() => this.look(carry), 2);
    return Promise.resolve();
  }

  async drain(ms: number): Promise<void> {
    clearInterval(this.timer);
    await this.ended(ms);
  }

  protected async ended(ms: number): Promise<void> {
    await Promise.race([Promise.all(this.#carrying), sleep(ms)]);
  }

  protected isFree(conversation: string): boolean {
    return !this.memory.active.has(conversation);
  }

  protected isDue({ due }: Waiting): boolean {
    return due <= performance.now();
  }

  protected putBack(waiting: Waiting, _why: 'again' | 'failed'): void {
    this.memory.waiting.push(waiting);
  }

  protected look(carry: CarryJob): void {
    for (const waiting of [...this.memory.waiting]) {
      const { conversation } = waiting.job;
      if (!this.isDue(waiting) || !this.isFree(conversation)) continue;
      this.memory.waiting = this.memory.waiting.filter((one) => one !== waiting);
      this.memory.active.add(conversation);
      const carrying = carry(waiting.job)
        .then(
          (outcome) => (outcome === 'again' ? this.putBack(waiting, 'again') : undefined),
          () => this.putBack(waiting, 'failed'),
        )
        .finally(() => {
          this.memory.active.delete(conversation);
          this.#carrying.delete(carrying);
        });
      this.#carrying.add(carrying);
    }
  }
}

class Overlapping extends MemoryEngine {
  protected override isFree(): boolean {
    return true;
  }
}
class OneAtATime extends MemoryEngine {
  protected override isFree(): boolean {
    return this.memory.active.size === 0;
  }
}
class Impatient extends MemoryEngine {
  protected override isDue(): boolean {
    return true;
  }
}
class Losing extends MemoryEngine {
  protected override putBack(waiting: Waiting, why: 'again' | 'failed'): void {
    if (why === 'again') super.putBack(waiting, why);
  }
}
class Dropping extends MemoryEngine {
  protected override putBack(waiting: Waiting, why: 'again' | 'failed'): void {
    if (why === 'failed') super.putBack(waiting, why);
  }
}
class Forgetful extends MemoryEngine {
  override enqueue(job: EngineJob, options = {}, tx?: unknown): Promise<void> {
    return this.memory.active.has(job.conversation) ? Promise.resolve() : super.enqueue(job, options, tx);
  }
}
class Deaf extends MemoryEngine {
  override enqueue(job: EngineJob, options = {}, tx?: unknown): Promise<void> {
    return this.timer === undefined ? Promise.resolve() : super.enqueue(job, options, tx);
  }
}
class Hasty extends MemoryEngine {
  protected override ended(): Promise<void> {
    return Promise.resolve();
  }
}
class Endless extends MemoryEngine {
  protected override ended(): Promise<void> {
    return super.ended(5_000);
  }
}
class Greedy extends MemoryEngine {
  override async drain(ms: number): Promise<void> {
    setTimeout(() => clearInterval(this.timer), 2_000).unref();
    await this.ended(ms);
  }
}
class Eager extends MemoryEngine {
  override enqueue(job: EngineJob, options = {}): Promise<void> {
    return super.enqueue(job, options);
  }
}

function checksOf(engine: new (memory: Memory) => MemoryEngine): ReturnType<typeof runEngineContract> {
  const memory = new Memory();
  const kit: EngineKit = {
    open: () => new engine(memory),
    patienceMs: 1_500,
    transaction: async (work) => {
      const added: Waiting[] = [];
      await work(added);
      memory.waiting.push(...added);
    },
  };
  return runEngineContract(kit);
}

describe('the contract of engines is met by one in memory', () => {
  for (const { name, run } of checksOf(MemoryEngine)) test(name, run);
});

describe('the contract of engines', () => {
  test.each<[string, new (memory: Memory) => MemoryEngine, string]>([
    ['carries two jobs of a conversation', Overlapping, 'jobs of one conversation are carried one at a time'],
    ['carries one job alone', OneAtATime, 'jobs of one conversation are carried one at a time'],
    ['does not wait', Impatient, 'a job for later is carried when its time has come'],
    ['loses jobs that fail', Losing, 'a job that fails is carried again'],
    ['loses jobs that are handed back', Dropping, 'what a draining worker hands back is carried by another one'],
    ['loses jobs of busy conversations', Forgetful, 'a job that is enqueued while its conversation is carried'],
    ['loses jobs that come before it works', Deaf, 'each enqueued job is carried'],
    ['does not wait for what it carries', Hasty, 'a drain waits for carried jobs'],
    ['takes jobs after it was drained', Greedy, 'a drain waits for carried jobs'],
    ['waits too long', Endless, 'a drain does not wait longer than it was told to'],
    ['enqueues outside of the transaction', Eager, 'a job of a transaction is carried once'],
  ])('the contract of engines is not met by one that %s', async (_name, engine, expected) => {
    const check = checksOf(engine).find(({ name }) => name.startsWith(expected));
    await expect(check?.run()).rejects.toThrow();
  });

  test('the contract of engines asks nothing of transactions of an engine that takes no part in them', () => {
    const names = runEngineContract({ open: () => new MemoryEngine(new Memory()) }).map(({ name }) => name);
    expect(names.filter((name) => name.includes('transaction'))).toEqual([]);
    expect(names.length).toBe(checksOf(MemoryEngine).length - 1);
  });
});
