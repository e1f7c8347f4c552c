/** The globals of programs: those of the language and of the sandbox. No tool may have one of these names. */
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
