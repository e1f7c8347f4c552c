import { createContext, runInContext } from 'node:vm';
import type { Sandbox, SandboxBridge, SandboxEnd, SandboxLimits, SandboxProgram } from '@toolwright/programs';

/** A naive engine: node:vm with objects of the host passed in. It is no boundary, and the kit has to detect that. */
export class VmSandbox implements Sandbox {
  readonly name = 'node:vm';

  async run({ body, tools }: SandboxProgram, bridge: SandboxBridge, limits: SandboxLimits): Promise<SandboxEnd> {
    let calls = 0;
    const call = async (name: string, args: unknown[]): Promise<unknown> => {
      const made = { id: ++calls, name, json: JSON.stringify(args) };
      const answer = await bridge.call(made, new AbortController().signal, () => () => undefined);
      if (!answer.ok) throw new RangeError(answer.message);
      return answer.json === undefined ? undefined : JSON.parse(answer.json);
    };
    const functions = Object.fromEntries(tools.map((name) => [name, (...args: unknown[]) => call(name, args)]));
    const print = (...given: unknown[]): void => bridge.write('output', given.map(String).join(' '));
    const context = createContext({ ...functions, tools: functions, console: { log: print, warn: print } });
    const late = new Promise<SandboxEnd>((resolve) => {
      setTimeout(() => resolve({ kind: 'exceeded', limit: 'wall' }), Math.min(limits.wallMs, 2_000)).unref();
    });
    try {
      // Without a time limit of its own an endless loop would end the tests, too.
      const main = runInContext(`(async () => {${body}\n})()`, context, { timeout: limits.wallMs }) as Promise<unknown>;
      const value = main.then((result): SandboxEnd => ({
        kind: 'completed',
        value: { kind: 'json', json: JSON.stringify(result) },
      }));
      return await Promise.race([value, late]);
    } catch (error) {
      const { name, message } = error as Error;
      return { kind: 'threw', error: { name, message } };
    }
  }

  async close(): Promise<void> {}
}
