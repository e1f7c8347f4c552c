import type { JSValueHandle, QuickJS, QuickJSOptions } from 'quickjs-wasi';
import { MAX_UNHANDLED_REJECTIONS } from '../limits.js';
import type { HostSide } from './guest/HostSide.js';
import type { GuestSettings, Program } from './guest/Program.js';
import { hostFunctions, type GuestImage } from './GuestImage.js';
import type { GuestAnswer } from './protocol.js';
import type { WasmModule } from './compileWasm.js';

/** Memory and stack of an instance, in bytes. */
export interface GuestSize {
  readonly memoryBytes: number;
  readonly stackBytes: number;
}

/** The host of a guest for one program. It must not throw: the guest would see an error of the host. */
export interface GuestHost {
  /** Handles a call of the guest; details are untrusted, and should be strings and numbers. */
  handleCall(kind: keyof HostSide, details: readonly JSValueHandle[]): JSValueHandle | undefined;
  /** Called about every millisecond while the guest computes. */
  mustStop(): boolean;
  /** Milliseconds by which the guest's clock is ahead of the machine's. */
  readonly clockShift: number;
}

/** Thrown through the engine, since the guest could catch an ordinary exception. */
export class GuestStopped extends Error {
  override readonly name = 'GuestStopped';
}

const idleHost: GuestHost = { handleCall: () => undefined, mustStop: () => false, clockShift: 0 };
const HEAD = '(async () => {\n';

/** Memory that replaces its buffer when it grows. */
interface LinearMemory {
  readonly buffer: ArrayBuffer;
}

/**
 * One instance of the engine: created before its program is known, used for one program, and dropped. After it has thrown it
 * must not be used again, since its state may be inconsistent.
 */
export class Guest {
  host = idleHost;
  /** Unhandled rejected promises with their reasons, by identity. */
  private readonly rejections = new Map<number, readonly JSValueHandle[]>();
  private vm!: QuickJS;
  private side!: JSValueHandle;
  private readonly methods: Partial<Record<keyof Program, JSValueHandle>> = {};
  private strict!: number;
  private memory: LinearMemory | undefined;

  /** Returns the size of its memory, in bytes; it never shrinks. */
  get memoryBytes(): number {
    return this.memory?.buffer.byteLength ?? 0;
  }

  static async make(image: GuestImage, engine: WasmModule, size: GuestSize): Promise<Guest> {
    const guest = new Guest();
    await guest.open(image, engine, size);
    return guest;
  }

  /** Starts the program, and runs it until it waits. */
  start(body: string, settings: GuestSettings): void {
    // The head has its own line, since QuickJS counts columns differently on the first line.
    const main = this.compile(`${HEAD}${body}\n})`);
    if (main !== undefined) this.invoke('start', this.vm.newString(JSON.stringify(settings)), main);
    this.runJobs();
  }

  settle(answers: readonly GuestAnswer[]): void {
    const { vm } = this;
    for (const answer of answers) {
      const [id, ok, json] = answer;
      // Each text crosses by itself: inside one JSON text of all answers, it would be escaped and parsed twice.
      const details = [vm.newNumber(id), json === undefined ? vm.undefined : vm.newString(json)];
      if (ok) this.invoke('resolve', ...details);
      else this.invoke('reject', ...details, vm.newString(answer[3]), vm.newString(answer[4]));
    }
    this.runJobs();
  }

  wake(sleeper: number): void {
    this.invoke('wake', this.vm.newNumber(sleeper));
    this.runJobs();
  }

  /** Returns a guest array with the reasons of unhandled rejections. */
  unhandled(): JSValueHandle {
    const reasons = this.vm.newArray();
    let index = 0;
    for (const [, reason] of this.rejections.values())
      if (reason !== undefined) reasons.setProp(String(index++), reason);
    return reasons;
  }

  private async open({ snapshot, side, options }: GuestImage, engine: WasmModule, size: GuestSize): Promise<void> {
    const { QuickJS, EvalFlags } = await import('quickjs-wasi');
    const vm = await QuickJS.restore(snapshot, {
      ...options,
      wasm: engine,
      memoryLimit: size.memoryBytes,
      maxStackSize: size.stackBytes,
      wasi: (memory: LinearMemory) => {
        this.memory = memory;
        return systemOf(memory, () => this.host.clockShift);
      },
      interruptHandler: () => this.interrupt(),
      onUnhandledRejection: (promise, reason, isHandled) => this.trackRejection(promise, reason, isHandled),
    } satisfies QuickJSOptions);
    for (const name of hostFunctions)
      vm.registerHostCallback(name, (...details) => this.host.handleCall(name, details) ?? vm.undefined);
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
      this.invoke('fail', handle);
      return undefined;
    }
  }

  private invoke(what: keyof Program, ...details: readonly JSValueHandle[]): void {
    const method = (this.methods[what] ??= this.side.getProp(what));
    this.vm.callFunction(method, this.side, ...details).dispose();
    for (const detail of details) detail.dispose();
  }

  private runJobs(): void {
    this.vm.executePendingJobs();
  }

  /** Tracks unhandled rejections. Handles are kept, so that no other promise can get the same identity. */
  private trackRejection(promise: JSValueHandle, reason: JSValueHandle, isHandled: boolean): void {
    if (isHandled) this.rejections.delete(promise.identity);
    else if (this.rejections.size < MAX_UNHANDLED_REJECTIONS)
      this.rejections.set(promise.identity, [promise.dup(), reason.dup()]);
  }
}

/** Returns the system interface of the engine: the time, and file writes that are discarded. */
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
