/** The functions of the worker that the guest calls by name. Only strings and numbers cross. */
export interface HostSide {
  /** @param tool index of the tool in the order of the program */
  call(tool: number, json: string, line: number): void;
  write(stream: 'output' | 'error', text: string): void;
  sleep(id: number, ms: number): void;
  /** Returns the reasons of unhandled rejections. */
  unhandled(): unknown[];
  /** Receives JSON text of the value; empty for undefined. */
  completed(json: string): void;
  unserializable(type: string, preview: string): void;
  /** Receives JSON text of a `GuestError`. */
  threw(error: string): void;
  exceeded(limit: 'argument' | 'result' | 'memory', line: number): void;
}
