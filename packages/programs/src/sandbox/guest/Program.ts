import type { GuestTools } from './GuestTools.js';
import type { ValueInspector } from './ValueInspector.js';
import type { HostSide } from './HostSide.js';
import type { ToolErrorKind } from '../../Sandbox.js';
import type { Values } from './Values.js';

/** The settings of a program, sent to the guest as JSON text. */
export interface GuestSettings {
  readonly tools: readonly string[];
  readonly seed: number;
  readonly maxArgumentBytes: number;
  readonly maxResultBytes: number;
  readonly maxOutputBytes: number;
}

/** The functions of the guest that the worker calls by name. Runs in the guest: see `ValueInspector`. */
export class Program {
  private readonly parse = JSON.parse as (text: string) => unknown;
  private readonly define = Object.defineProperty;
  private readonly forget = Reflect.deleteProperty;
  private readonly sleepers = Object.create(null) as Record<number, () => void>;
  private slept = 0;

  constructor(
    private readonly host: HostSide,
    private readonly values: Values,
    private readonly inspector: ValueInspector,
    private readonly tools: GuestTools,
  ) {}

  start(text: string, main: () => Promise<unknown>): void {
    const settings = this.parse(text) as GuestSettings;
    const globals = { console: this.makeConsole(settings.maxOutputBytes), sleep: (ms: unknown) => this.sleep(ms) };
    for (const [name, value] of Object.entries(globals))
      this.define(globalThis, name, { value, writable: true, configurable: true });
    this.define(Math, 'random', { value: this.makeRandom(settings.seed), writable: true, configurable: true });
    this.tools.install(settings.tools, settings.maxArgumentBytes);
    void this.finish(main, settings.maxResultBytes);
  }

  resolve(id: number, json: string | undefined): void {
    this.tools.resolve(id, json);
  }

  reject(id: number, json: string | undefined, kind: ToolErrorKind, message: string): void {
    this.tools.reject(id, json, kind, message);
  }

  /** Ends a `sleep`. */
  wake(id: number): void {
    this.sleepers[id]?.();
    this.forget(this.sleepers, id);
  }

  fail(error: unknown): void {
    this.tools.fail(error);
  }

  private async finish(main: () => Promise<unknown>, maxResultBytes: number): Promise<void> {
    try {
      const value = await main();
      const json = value === undefined ? '' : this.values.ofResult(value);
      this.reportUnhandled();
      if (json === undefined) this.host.unserializable(this.inspector.typeOf(value), this.inspector.preview(value));
      else if (json.length > maxResultBytes) this.host.exceeded('result', 0);
      else this.host.completed(json);
    } catch (error) {
      this.reportUnhandled();
      this.tools.fail(error);
    }
  }

  private reportUnhandled(): void {
    const reasons = this.host.unhandled();
    for (let index = 0; index < reasons.length; index++)
      this.host.write('error', `Unhandled rejection: ${this.values.ofConsole(reasons[index])}`);
  }

  private sleep(ms: unknown): Promise<void> {
    return new Promise((resolve) => {
      if (typeof ms !== 'number' || !(ms >= 0))
        throw new TypeError(`sleep takes milliseconds, from 0: not ${this.inspector.preview(ms)}`);
      this.sleepers[++this.slept] = resolve;
      this.host.sleep(this.slept, ms);
    });
  }

  private makeConsole(maxOutputBytes: number): object {
    const printTo =
      (stream: 'output' | 'error') =>
      (...given: unknown[]) => {
        let text = '';
        for (let index = 0; index < given.length && text.length <= maxOutputBytes; index++)
          text += (index === 0 ? '' : ' ') + this.values.ofConsole(given[index]);
        this.host.write(stream, text.slice(0, maxOutputBytes + 1));
      };
    const [log, error] = [printTo('output'), printTo('error')];
    return { log, info: log, debug: log, warn: error, error };
  }

  /** Creates a random generator: Marsaglia's xorshift with 32 bits of state, which is never 0. */
  private makeRandom(seed: number): () => number {
    let state = Math.imul(seed, 0x9e3779b1) || 1;
    const next = (): number => {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return state >>> 0;
    };
    return () => ((next() >>> 5) * 2 ** 26 + (next() >>> 6)) / 2 ** 53;
  }
}
