import { joinBounded } from '../common/text.js';
import type { ToolObjection } from './PromptExtension.js';

const RESERVED = new Set(
  [
    'arguments as async await break case catch class const continue debugger default delete do else enum eval export extends',
    'false finally for function if implements import in instanceof interface let new null of package private protected public',
    'return static super switch this throw true try type typeof undefined var void while with yield',
  ].flatMap((line) => line.split(' ')),
);

export interface ProgramNames {
  /** Identifiers by names on the wire. */
  readonly identifiers: ReadonlyMap<string, string>;
  /** E661 for a name that programs use otherwise, E662 for the name of another tool. */
  readonly objections: readonly ToolObjection[];
}

/** Creates the names of tools as functions in programs: their own names, with `_` for characters that identifiers exclude. */
export function createProgramNames(names: readonly string[]): ProgramNames {
  const identifiers = new Map<string, string>();
  const owners = new Map<string, string>();
  const objections: ToolObjection[] = [];
  for (const name of names) {
    const identifier = spellIdentifier(name);
    const owner = owners.get(identifier);
    const use = describeUse(identifier);
    if (use !== undefined)
      objections.push({ code: 'E661', toolName: name, problem: `in programs, "${identifier}" is ${use}` });
    else if (owner !== undefined) {
      const both = joinBounded([owner, name].map((each) => `"${each}"`));
      objections.push({ code: 'E662', toolName: name, problem: `${both} are both called ${identifier} in a program` });
    }
    owners.set(identifier, name);
    identifiers.set(name, identifier);
  }
  return { identifiers, objections };
}

function spellIdentifier(name: string): string {
  const identifier = name.replace(/[^A-Za-z0-9_$]/g, '_');
  return /^[0-9]/.test(identifier) || identifier === '' ? `_${identifier}` : identifier;
}

/** Returns how programs use the name other than for a tool, or undefined. */
function describeUse(identifier: string): string | undefined {
  if (RESERVED.has(identifier)) return 'a word of the language';
  return guestGlobals.has(identifier) ? 'a global of programs' : undefined;
}

/** The globals of programs, from the language and the sandbox. Tools cannot have these names. */
export const guestGlobals: ReadonlySet<string> = new Set(
  [
    'AggregateError Array ArrayBuffer AsyncDisposableStack BigInt BigInt64Array BigUint64Array Boolean DOMException DataView Date',
    'DisposableStack Error EvalError FinalizationRegistry Float16Array Float32Array Float64Array Infinity Int16Array Int32Array',
    'Int8Array InternalError Iterator JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set',
    'String SuppressedError Symbol SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap',
    'WeakRef WeakSet decodeURI decodeURIComponent encodeURI encodeURIComponent escape globalThis isFinite isNaN parseFloat',
    'parseInt unescape',
    'TextDecoder TextEncoder ToolError URL URLSearchParams atob btoa console parallel sleep structuredClone tools',
    // Absent, but expected by models: a tool of this name would be mistaken for the built-in.
    'Atomics Function Intl SharedArrayBuffer WebAssembly performance queueMicrotask',
  ].flatMap((line) => line.split(' ')),
);
