import type { QuickJSOptions, Snapshot } from 'quickjs-wasi';
import type { HostSide } from './guest/HostSide.js';
import { preludeText } from './guest/prelude.js';
import type { WorkerSetup } from './protocol.js';

/** The functions of `HostSide`. */
export const hostFunctions: readonly (keyof HostSide)[] = [
  'call',
  'write',
  'sleep',
  'unhandled',
  'completed',
  'unserializable',
  'threw',
  'exceeded',
];

/** A snapshot of an instance with the prelude evaluated; every program gets a copy. */
export interface GuestImage {
  readonly snapshot: Snapshot;
  /** The value of the prelude, as a token for `importHandle`. */
  readonly side: number;
  /** The engine options of every instance. */
  readonly options: QuickJSOptions;
}

/** Evaluates the prelude once, since copying the resulting instance is faster. */
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
