import type { QuickJSOptions, Snapshot } from 'quickjs-wasi';
import type { HostSide } from './guest/HostSide.js';
import { preludeText } from './guest/prelude.js';
import type { WorkerSetup } from './protocol.js';

/** The functions of `HostSide`. */
export const hostFunctions: readonly (keyof HostSide)[] = [
  ...(['call', 'write', 'sleep', 'unhandled', 'completed', 'unserializable', 'threw', 'exceeded'] as const),
];

/** An instance as it is before a program: every program gets one that begins as a copy of it. */
export interface GuestImage {
  readonly snapshot: Snapshot;
  /** What the prelude gave, as a token for `importHandle`. */
  readonly side: number;
  /** The options of the engine that every instance has. */
  readonly options: QuickJSOptions;
}

/** Evaluates the prelude, which takes longer than copying what comes of it. */
export async function takeImage({ engine, extensions }: WorkerSetup): Promise<GuestImage> {
  const { QuickJS, Intrinsics, EvalFlags } = await import('quickjs-wasi');
  const options: QuickJSOptions = {
    wasm: engine,
    extensions: [...extensions],
    intrinsics: (Intrinsics.ALL & ~Intrinsics.PERFORMANCE) >>> 0,
    timezoneOffset: 0,
  };
  const vm = await QuickJS.create(options);
  const prelude = vm.evalCode(preludeText, 'sandbox', EvalFlags.STRICT);
  const host = vm.newObject();
  for (const name of hostFunctions)
    host.setProp(
      name,
      vm.newFunction(name, () => vm.undefined),
    );
  const side = vm.exportHandle(vm.callFunction(prelude, vm.undefined, host));
  return { snapshot: vm.snapshot(), side, options };
}
