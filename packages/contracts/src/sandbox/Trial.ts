import type {
  BridgeAnswer,
  BridgeCall,
  HoldClock,
  Sandbox,
  SandboxEnd,
  SandboxLimits,
  SandboxProgram,
} from '@toolwright/programs';
import { EngineCheckError } from './EngineCheck.js';

export type TrialTool = (
  call: BridgeCall,
  signal: AbortSignal,
  hold: HoldClock,
) => Promise<BridgeAnswer> | BridgeAnswer;

export interface TrialOptions extends Pick<SandboxProgram, 'seed' | 'now'> {
  readonly tools?: Readonly<Record<string, TrialTool>>;
  readonly limits?: Partial<SandboxLimits>;
  readonly signal?: AbortSignal;
}

const limits: SandboxLimits = {
  wallMs: 10_000,
  cpuMs: 10_000,
  memoryBytes: 64 * 1024 * 1024,
  stackBytes: 256 * 1024,
  maxCalls: 1_000,
  maxConcurrency: 1_000,
  maxArgumentBytes: 64 * 1024,
  maxResultBytes: 256 * 1024,
  maxOutputBytes: 4_096,
};

/** A run of one program in an engine, with its calls, output and outcome. */
export class Trial {
  readonly calls: BridgeCall[] = [];
  readonly output: string[] = [];
  readonly signals: AbortSignal[] = [];
  end!: SandboxEnd;

  private constructor(private readonly engine: string) {}

  static async of(sandbox: Sandbox, body: string, options: TrialOptions = {}): Promise<Trial> {
    const trial = new Trial(sandbox.name);
    const { tools = {}, seed, now, signal } = options;
    const bridge = {
      call: async (call: BridgeCall, ended: AbortSignal, hold: HoldClock): Promise<BridgeAnswer> => {
        trial.calls.push(call);
        trial.signals.push(ended);
        const unknown: BridgeAnswer = { ok: false, kind: 'tool_error', message: `no tool ${call.name}` };
        return (await tools[call.name]?.(call, ended, hold)) ?? unknown;
      },
      write: (_stream: string, text: string) => void trial.output.push(text),
    };
    const program = { body, tools: Object.keys(tools), seed, now };
    trial.end = await sandbox.run(program, bridge, { ...limits, ...options.limits }, signal);
    return trial;
  }

  /** Returns the value of the program; the outcome if it did not complete. */
  get value(): unknown {
    if (this.end.kind !== 'completed') return this.end;
    const { value } = this.end;
    return value.kind !== 'json' || value.json === undefined ? value : (JSON.parse(value.json) as unknown);
  }

  /** Returns the limit that ended the program; undefined if none did. */
  get exceeded(): string | undefined {
    return this.end.kind === 'exceeded' ? this.end.limit : undefined;
  }

  /** @throws {EngineCheckError} E654: the value differs from the expected one. */
  expect(what: string, got: unknown, wanted: unknown): void {
    // Compared as text: in jest, values that crossed a thread have different prototypes.
    if (JSON.stringify(got) !== JSON.stringify(wanted)) throw new EngineCheckError(this.engine, what, got);
  }
}

/** A tool that returns its first argument. */
export const echo: TrialTool = ({ json }) => ({ ok: true, json: JSON.stringify((JSON.parse(json) as unknown[])[0]) });

export const never: TrialTool = () => new Promise(() => undefined);
