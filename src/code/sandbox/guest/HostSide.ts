/** The functions that the guest has of its worker, each known by its name. Only strings and numbers cross. */
export interface HostSide {
  call(name: string, json: string, line: number): void;
  write(stream: 'output' | 'error', text: string): void;
  sleep(id: number, ms: number): void;
  /** The reasons of rejections that nothing handles. */
  unhandled(): unknown[];
  /** JSON text of the value; empty for undefined. */
  completed(json: string): void;
  unserializable(type: string, preview: string): void;
  /** JSON text of a `GuestError`. */
  threw(error: string): void;
  exceeded(limit: 'argument' | 'result' | 'memory', line: number): void;
}
