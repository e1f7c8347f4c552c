import type { BridgeAnswer, BridgeCall, HoldClock, SandboxEnd, SandboxLimits } from '../../src/Sandbox.js';
import { type QuickJsSandbox } from '../../src/sandbox/QuickJsSandbox.js';

/** A tool of a test: its value, as JSON can say it. What it throws is the failure of the call. */
export type Tool = (args: readonly unknown[], call: BridgeCall, signal: AbortSignal, hold: HoldClock) => unknown;

/** One program that was run, and its events. */
export interface Heard {
  readonly end: SandboxEnd;
  readonly output: string;
  readonly errors: string;
  readonly calls: readonly BridgeCall[];
  readonly signals: readonly AbortSignal[];
}

export const limits: SandboxLimits = {
  wallMs: 20_000,
  cpuMs: 20_000,
  memoryBytes: 64 * 1024 * 1024,
  stackBytes: 256 * 1024,
  maxCalls: 1_000,
  maxConcurrency: 1_000,
  maxArgumentBytes: 1024 * 1024,
  maxResultBytes: 8 * 1024 * 1024,
  maxOutputBytes: 64 * 1024,
};

/** Runs a program with tools that are plain functions. */
export async function runIn(
  sandbox: QuickJsSandbox,
  body: string,
  {
    tools = {},
    signal,
    ...other
  }: { tools?: Record<string, Tool>; signal?: AbortSignal } & Partial<SandboxLimits> = {},
): Promise<Heard> {
  const [calls, signals]: [BridgeCall[], AbortSignal[]] = [[], []];
  let [output, errors] = ['', ''];
  const bridge = {
    async call(call: BridgeCall, ended: AbortSignal, hold: HoldClock): Promise<BridgeAnswer> {
      calls.push(call);
      signals.push(ended);
      try {
        const value = await tools[call.name]?.(JSON.parse(call.json) as unknown[], call, ended, hold);
        return { ok: true, json: JSON.stringify(value) };
      } catch (error) {
        return { ok: false, kind: 'tool_error', message: (error as Error).message };
      }
    },
    write(stream: 'output' | 'error', text: string): void {
      if (stream === 'output') output += `${text}\n`;
      else errors += `${text}\n`;
    },
  };
  const end = await sandbox.run({ body, tools: Object.keys(tools) }, bridge, { ...limits, ...other }, signal);
  return { end, output, errors, calls, signals };
}

/** The return value of the program, or its status if it did not complete. */
export function valueOf({ end }: Heard): unknown {
  if (end.kind !== 'completed') return end;
  return end.value.kind === 'json' && end.value.json !== undefined ? JSON.parse(end.value.json) : end.value;
}
