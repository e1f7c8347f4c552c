import type { ToolErrorKind } from '../../Sandbox.js';
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

/** A failed call. */
interface Failure {
  readonly id: number;
  readonly kind: ToolErrorKind;
  readonly message: string;
  readonly value: unknown;
}

/** Defines and calls the tools of a program, and reports its errors. Runs in the guest: see `ValueInspector`. */
export class GuestTools {
  private readonly parse = JSON.parse as (text: string) => unknown;
  private readonly stringify = JSON.stringify;
  private readonly define: <T>(target: T, name: string, descriptor: PropertyDescriptor) => T = Object.defineProperty;
  private readonly forget = Reflect.deleteProperty;
  private readonly parseInt = Number.parseInt;
  private readonly errorClass = Error;
  private readonly text = String;
  // Bound as functions: a program may replace the methods of the prototype.
  private readonly slice = Function.prototype.call.bind(String.prototype.slice) as unknown as (
    text: string,
    start: number,
    end?: number,
  ) => string;
  private readonly indexOf = Function.prototype.call.bind(String.prototype.indexOf) as unknown as (
    text: string,
    part: string,
  ) => number;
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
    for (const [index, name] of names.entries()) {
      const tool = (...args: unknown[]): Promise<unknown> =>
        this.call(index, args, longestArguments, this.stacks.callerOf(tool));
      this.define(tool, 'name', { value: name });
      this.define(tools, name, { value: tool, enumerable: true });
      if (!(name in globalThis)) this.define(globalThis, name, { value: tool, writable: true, configurable: true });
    }
    const { ToolError } = this.errors;
    for (const [name, value] of Object.entries({ tools: Object.freeze(tools), ToolError }))
      this.define(globalThis, name, { value, writable: true, configurable: true });
  }

  /** @param json the result as JSON text */
  resolve(id: number, json: string | undefined): void {
    this.take(id)?.resolve(json === undefined ? undefined : this.parse(json));
  }

  /** @param json the value of the error as JSON text */
  reject(id: number, json: string | undefined, kind: ToolErrorKind, message: string): void {
    const call = this.take(id);
    const value = json === undefined ? null : this.parse(json);
    call?.reject(this.errors.of({ id, kind, message, value }, this.stacks.show(call.caller)));
  }

  private take(id: number): Pending | undefined {
    const call = this.pending[id];
    this.forget(this.pending, id);
    return call;
  }

  /** Reports the error that the program threw. */
  fail(error: unknown): void {
    const { name, message, stack } = this.describe(error);
    const { line, column } = this.placeIn(stack);
    if (name === 'InternalError' && message === 'out of memory') return this.host.exceeded('memory', line);
    this.host.threw(this.writeError(name, message, line, column, this.errors.callOf(error)));
  }

  /** Writes a `GuestError` as JSON from strings and numbers: a program could give an object a `toJSON`. */
  private writeError(name: string, message: string, line: number, column: number, id: number | undefined): string {
    const text = (value: string, longest: number): string => this.stringify(this.slice(value, 0, longest));
    const call = id === undefined ? '' : `,"call":{"id":${id}}`;
    return `{"name":${text(name, 100)},"message":${text(message, 10_000)},"line":${line},"column":${column}${call}}`;
  }

  private call(tool: number, args: readonly unknown[], longest: number, caller: Frame | undefined): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const json = this.values.ofArguments(args);
      const line = this.stacks.lineOf(caller);
      if (json.length > longest) return this.host.exceeded('argument', line);
      this.pending[++this.count] = { resolve, reject, caller };
      return this.host.call(tool, json, line);
    });
  }

  /** Returns line and column in a stack, counted from 1; 0 if unknown. */
  private placeIn(stack: unknown): { line: number; column: number } {
    const start = typeof stack === 'string' ? this.indexOf(stack, this.place) : -1;
    if (start < 0) return { line: 0, column: 0 };
    const place = this.slice(stack as string, start + this.place.length, start + 40);
    const line = this.parseInt(place);
    const column = this.parseInt(this.slice(place, this.indexOf(place, ':') + 1));
    return { line: line > 0 ? line : 0, column: column > 0 ? column : 0 };
  }

  private describe(error: unknown): { name: string; message: string; stack: unknown } {
    try {
      if (error instanceof this.errorClass) {
        const { name, message, stack }: { name: unknown; message: unknown; stack?: unknown } = error;
        return { name: this.text(name), message: this.text(message), stack };
      }
    } catch {
      // A getter of the error threw; the value is described instead.
    }
    const message = typeof error === 'string' ? error : this.inspector.preview(error);
    return { name: typeof error, message, stack: undefined };
  }

  /** Returns the class of errors of tools. The failed call is kept in a private field, which programs cannot change. */
  private makeToolError() {
    const { define } = this;
    class ToolError extends Error {
      #call: number | undefined;
      static readonly trusted = {
        of({ id, kind, message, value }: Failure, stack: string): ToolError {
          const error = new ToolError(message);
          error.#call = id;
          const own = (name: string, value: unknown): void => {
            // No prototype: a program could define accessors on it.
            define(error, name, { __proto__: null, value, writable: true, configurable: true } as PropertyDescriptor);
          };
          own('kind', kind);
          own('value', value);
          own('stack', stack);
          return error;
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
