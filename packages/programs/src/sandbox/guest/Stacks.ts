/** A stack frame of QuickJS. */
export interface Frame {
  getFileName(): string | null;
  getFunctionName(): string | null;
  getLineNumber(): number;
  getColumnNumber(): number;
}

/**
 * Limits stacks to frames of the program, with its own line numbers: the evaluated text has one more line at the start, the head
 * of a wrapper. Runs in the guest: see `ValueInspector`.
 */
export class Stacks {
  private readonly errors = Error;
  private readonly capture = Error.captureStackTrace.bind(Error);
  private readonly isArray = Array.isArray;
  private readonly file = 'program.js';
  private readonly deepest = 10;
  private isTaking = false;

  constructor() {
    // QuickJS takes it through a setter, so it must be assigned, not defined.
    (Error as { prepareStackTrace?: unknown }).prepareStackTrace = (_error: unknown, frames: readonly Frame[]) =>
      this.isTaking ? frames : this.show(...frames);
  }

  /**
   * Returns the nearest frame of the program below a function that was called. Every tool call needs it, and each examined frame
   * costs a microsecond, so one frame is tried before all of them.
   */
  callerOf(called: (...args: never[]) => unknown): Frame | undefined {
    return this.take(called, 1) ?? this.take(called, this.deepest);
  }

  /** Returns the line of a frame, counted from 1; 0 if unknown. */
  lineOf(frame: Frame | undefined): number {
    return frame === undefined ? 0 : frame.getLineNumber() - 1;
  }

  show(...frames: readonly (Frame | undefined)[]): string {
    let stack = '';
    try {
      // Without an iterator: a program may replace it, and the methods of frames.
      for (let index = 0; index < frames.length; index++) {
        const frame = frames[index];
        if (frame?.getFileName() !== this.file) continue;
        const place = `${this.file}:${String(this.lineOf(frame))}:${String(frame.getColumnNumber())}`;
        stack += `    at ${frame.getFunctionName() ?? '<anonymous>'} (${place})\n`;
      }
    } catch {
      // The rest of the stack is unknown.
    }
    return stack;
  }

  private take(called: (...args: never[]) => unknown, depth: number): Frame | undefined {
    const { errors } = this;
    const usual = errors.stackTraceLimit;
    const holder: { readonly stack?: unknown } = {};
    this.isTaking = true;
    errors.stackTraceLimit = depth;
    try {
      this.capture(holder, called);
    } finally {
      errors.stackTraceLimit = usual;
      this.isTaking = false;
    }
    const frames = this.isArray(holder.stack) ? (holder.stack as readonly Frame[]) : [];
    for (let index = 0; index < frames.length; index++)
      if (frames[index]?.getFileName() === this.file) return frames[index];
    return undefined;
  }
}
