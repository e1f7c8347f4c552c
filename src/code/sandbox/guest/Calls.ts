import type { GuestAnswer } from '../protocol.js';
import type { ValueInspector } from './ValueInspector.js';
import type { HostSide } from './HostSide.js';
import type { Frame, Stacks } from './Stacks.js';
import type { Values } from './Values.js';

/** An unanswered call, and the frame that made it. */
interface Pending {
  resolve(value: unknown): void;
  reject(error: unknown): void;
  readonly caller: Frame | undefined;
}

/** Calls the tools of a program, and reports its errors. Runs in the guest: see `ValueInspector`. */
export class Calls {
  private readonly parse = JSON.parse as (text: string) => unknown;
  private readonly stringify = JSON.stringify;
  private readonly define: <T>(target: T, name: string, descriptor: PropertyDescriptor) => T = Object.defineProperty;
  private readonly forget = Reflect.deleteProperty;
  private readonly parseInt = Number.parseInt;
  private readonly place = 'program.js:';
  private readonly pending = Object.create(null) as Record<number, Pending>;
  private readonly errors = this.makeToolError();
  private count = 0;

  constructor(
    private readonly host: HostSide,
    private readonly values: Values,
    private readonly inspector: ValueInspector,
    private readonly stacks: Stacks,
  ) {}

  /** Defines `tools` and the global functions. */
  install(names: readonly string[], longestArguments: number): void {
    const tools = Object.create(null) as Record<string, unknown>;
    for (const name of names) {
      const tool = (...args: unknown[]): Promise<unknown> =>
        this.call(name, args, longestArguments, this.stacks.callerOf(tool));
      this.define(tool, 'name', { value: name });
      this.define(tools, name, { value: tool, enumerable: true });
      if (!(name in globalThis)) this.define(globalThis, name, { value: tool, writable: true, configurable: true });
    }
    const { ToolError } = this.errors;
    for (const [name, value] of Object.entries({ tools: Object.freeze(tools), ToolError }))
      this.define(globalThis, name, { value, writable: true, configurable: true });
  }

  /** Settles calls by a JSON array of `GuestAnswer`s. */
  settle(text: string): void {
    for (const answer of this.parse(text) as GuestAnswer[]) {
      const call = this.pending[answer.id];
      if (call === undefined) continue;
      this.forget(this.pending, answer.id);
      if (answer.ok) call.resolve(answer.json === undefined ? undefined : this.parse(answer.json));
      else call.reject(this.errors.of(answer, this.stacks.show(call.caller)));
    }
  }

  /** Reports the error that the program threw. */
  fail(error: unknown): void {
    const { name, message, stack } = this.describe(error);
    const { line, column } = this.placeIn(stack);
    if (name === 'InternalError' && message === 'out of memory') return this.host.exceeded('memory', line);
    const [shortName, shortMessage] = [name.slice(0, 100), message.slice(0, 10_000)];
    const call = this.errors.callOf(error);
    this.host.threw(this.stringify({ name: shortName, message: shortMessage, line, column, call }));
  }

  private call(name: string, args: readonly unknown[], longest: number, caller: Frame | undefined): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const json = this.values.ofArguments(args);
      const line = this.stacks.lineOf(caller);
      if (json.length > longest) return this.host.exceeded('argument', line);
      this.pending[++this.count] = { resolve, reject, caller };
      return this.host.call(name, json, line);
    });
  }

  /** Line and column in a stack, counted from 1; 0 if unknown. */
  private placeIn(stack: unknown): { line: number; column: number } {
    const start = typeof stack === 'string' ? stack.indexOf(this.place) : -1;
    if (start < 0) return { line: 0, column: 0 };
    const place = (stack as string).slice(start + this.place.length, start + 40);
    return { line: this.parseInt(place), column: this.parseInt(place.slice(place.indexOf(':') + 1)) };
  }

  private describe(error: unknown): { name: string; message: string; stack: unknown } {
    try {
      if (error instanceof Error) {
        const { name, message, stack }: { name: unknown; message: unknown; stack?: unknown } = error;
        return { name: String(name), message: String(message), stack };
      }
    } catch {
      // A getter of the error threw; the value is described instead.
    }
    const message = typeof error === 'string' ? error : this.inspector.preview(error);
    return { name: typeof error, message, stack: undefined };
  }

  /** The class of errors of tools. The failed call is kept in a private field, which programs cannot change. */
  private makeToolError() {
    const { define, parse } = this;
    class ToolError extends Error {
      #call: unknown;
      static readonly trusted = {
        of({ id, kind, message, value = 'null' }: GuestAnswer & { ok: false }, stack: string): ToolError {
          const error = new ToolError(message);
          error.#call = { id, kind };
          define(error, 'kind', { value: kind, writable: true, configurable: true });
          define(error, 'value', { value: parse(value), writable: true, configurable: true });
          return define(error, 'stack', { value: stack, writable: true, configurable: true });
        },
        callOf: (error: unknown) =>
          typeof error === 'object' && error !== null && #call in error ? error.#call : undefined,
      };
    }
    const { trusted } = ToolError;
    this.forget(ToolError, 'trusted');
    define(ToolError.prototype, 'name', { value: 'ToolError', writable: true, configurable: true });
    return { ToolError, ...trusted };
  }
}
