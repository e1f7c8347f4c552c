import { GuestTools } from './GuestTools.js';
import { Cloner } from './Cloner.js';
import { closeGlobals } from './closeGlobals.js';
import { Hosts } from './Hosts.js';
import { ValueInspector } from './ValueInspector.js';
import { Parallel } from './Parallel.js';
import { Program } from './Program.js';
import { Stacks } from './Stacks.js';
import { URL } from './URL.js';
import { Urls } from './Urls.js';
import { URLSearchParams } from './URLSearchParams.js';
import { Values } from './Values.js';

/**
 * The source of a function `(host) => Program` that is evaluated before the program: the classes of this folder, assembled.
 * They must be as the compiler emits them, so tsdown.config.mjs leaves the modules of workers as they are.
 */
export const preludeText = `(host) => {
  const stacks = new (${String(Stacks)})();
  const inspector = new (${String(ValueInspector)})();
  const values = new (${String(Values)})(inspector);
  const tools = new (${String(GuestTools)})(host, values, inspector, stacks);
  const parallel = new (${String(Parallel)})((value) => inspector.preview(value));
  const urls = new (${String(Urls)})(new (${String(Hosts)})());
  const onChange = new WeakMap();
  const URLSearchParams = ${String(URLSearchParams)};
  const URL = ${String(URL)};
  const cloner = new (${String(Cloner)})();
  const structuredClone = (...given) => cloner.clone(given);
  const globals = { parallel: (...entries) => parallel.run(entries), URL, URLSearchParams, structuredClone };
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  (${String(closeGlobals)})();
  return new (${String(Program)})(host, values, inspector, tools);
}`;
