import type { JSValueHandle, QuickJS, QuickJSOptions } from 'quickjs-wasi';
import type { HostSide } from './guest/HostSide.js';
import type { GuestSettings, Program } from './guest/Program.js';
import { hostFunctions, type GuestImage } from './GuestImage.js';
import type { GuestAnswer } from './protocol.js';

/** Memory and stack of an instance, in bytes. */
export interface GuestSize {
  readonly memoryBytes: number;
  readonly stackBytes: number;
}

/** What the guest of one program hears and asks. It must not throw: the guest would see an error of the host. */
export interface GuestHost {
  /** The guest calls; only strings and numbers are to be expected, and not to be trusted. */
  hear(kind: keyof HostSide, details: readonly JSValueHandle[]): JSValueHandle | undefined;
  /** Asked about every millisecond while the guest computes. */
  mustStop(): boolean;
  /** Milliseconds by which the guest's clock is ahead of the machine's. */
  readonly clockShift: number;
}

/** Thrown right through the engine: an exception of the guest's own could be caught by the guest. */
export class GuestStopped extends Error {
  override readonly name = 'GuestStopped';
}

const idleHost: GuestHost = { hear: () => undefined, mustStop: () => false, clockShift: 0 };
const UNHANDLED_KEPT = 100;
const HEAD = '(async () => {\n';

/** Its buffer is another one after it has grown. */
interface LinearMemory {
  readonly buffer: ArrayBuffer;
}

/**
 * One instance of the engine: made before its program is known, used for one program, and dropped. Once it threw, nothing in it
 * may be touched again, since the throw left it in the middle of something.
 */
export class Guest {
  host = idleHost;
  /** Rejected promises that nothing handles, with the reason, by identity. */
  private readonly rejections = new Map<number, readonly JSValueHandle[]>();
  private vm!: QuickJS;
  private side!: JSValueHandle;
  private readonly methods: Partial<Record<keyof Program, JSValueHandle>> = {};
  private strict!: number;

  static async make(image: GuestImage, size: GuestSize): Promise<Guest> {
    const guest = new Guest();
    await guest.open(image, size);
    return guest;
  }

  /** Starts the program; it runs until it waits for something. */
  start(body: string, settings: GuestSettings): void {
    // The head has a line of its own, since QuickJS counts columns of the first line in its own way.
    const main = this.compile(`${HEAD}${body}\n})`);
    if (main !== undefined) this.tell('start', this.vm.newString(JSON.stringify(settings)), main);
    this.runJobs();
  }

  settle(answers: readonly GuestAnswer[]): void {
    this.tell('settle', this.vm.newString(JSON.stringify(answers)));
    this.runJobs();
  }

  wake(sleeper: number): void {
    this.tell('wake', this.vm.newNumber(sleeper));
    this.runJobs();
  }

  /** An array of the guest with the reasons of rejections that nothing handles. */
  unhandled(): JSValueHandle {
    const reasons = this.vm.newArray();
    let index = 0;
    for (const [, reason] of this.rejections.values())
      if (reason !== undefined) reasons.setProp(String(index++), reason);
    return reasons;
  }

  private async open({ snapshot, side, options }: GuestImage, size: GuestSize): Promise<void> {
    const { QuickJS, EvalFlags } = await import('quickjs-wasi');
    const vm = await QuickJS.restore(snapshot, {
      ...options,
      memoryLimit: size.memoryBytes,
      maxStackSize: size.stackBytes,
      wasi: (memory: LinearMemory) => systemOf(memory, () => this.host.clockShift),
      interruptHandler: () => this.interrupt(),
      onUnhandledRejection: (promise, reason, isHandled) => this.rejected(promise, reason, isHandled),
    } satisfies QuickJSOptions);
    for (const name of hostFunctions)
      vm.registerHostCallback(name, (...details) => this.host.hear(name, details) ?? vm.undefined);
    this.side = vm.importHandle(side);
    this.strict = EvalFlags.STRICT;
    this.vm = vm;
  }

  private interrupt(): boolean {
    if (this.host.mustStop()) throw new GuestStopped();
    return false;
  }

  private compile(text: string): JSValueHandle | undefined {
    try {
      return this.vm.evalCode(text, 'program.js', this.strict);
    } catch (error) {
      const { handle } = error as { handle?: JSValueHandle };
      if (handle === undefined) throw error;
      this.tell('fail', handle);
      return undefined;
    }
  }

  private tell(what: keyof Program, ...details: readonly JSValueHandle[]): void {
    const told = (this.methods[what] ??= this.side.getProp(what));
    this.vm.callFunction(told, this.side, ...details).dispose();
    for (const detail of details) detail.dispose();
  }

  private runJobs(): void {
    this.vm.executePendingJobs();
  }

  /** Handles are kept, so that no other promise can come to have the same identity. */
  private rejected(promise: JSValueHandle, reason: JSValueHandle, isHandled: boolean): void {
    if (isHandled) this.rejections.delete(promise.identity);
    else if (this.rejections.size < UNHANDLED_KEPT)
      this.rejections.set(promise.identity, [promise.dup(), reason.dup()]);
  }
}

/** What the engine gets of the system: the time, and nowhere to write to. */
function systemOf(
  memory: { readonly buffer: ArrayBuffer },
  shift: () => number,
): Record<string, (...args: never[]) => number> {
  const view = (): DataView => new DataView(memory.buffer);
  return {
    clock_time_get: (_clock: number, _precision: bigint, result: number) => {
      view().setBigUint64(result, BigInt(Math.round(Date.now() + shift())) * 1_000_000n, true);
      return 0;
    },
    fd_write: (_file: number, _parts: number, _count: number, written: number) => {
      view().setUint32(written, 0, true);
      return 0;
    },
  };
}
