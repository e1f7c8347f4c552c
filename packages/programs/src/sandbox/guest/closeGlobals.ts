/**
 * Removes globals that create code from text or reach beyond the program. The constructors of functions remain reachable through
 * prototypes, but throw. Runs in the guest: see `ValueInspector`.
 */
export function closeGlobals(): void {
  const { defineProperty, getPrototypeOf } = Object;
  function NoCode(): never {
    throw new TypeError('code cannot be made out of text here');
  }
  const functions = [
    () => 0,
    async () => 0,
    function* () {
      yield 0;
    },
    async function* () {
      yield 0;
    },
  ];
  for (const made of functions)
    defineProperty(getPrototypeOf(made), 'constructor', { value: NoCode, writable: false, configurable: false });
  for (const name of ['eval', 'Function', 'SharedArrayBuffer', 'Atomics', 'queueMicrotask', 'FinalizationRegistry'])
    Reflect.deleteProperty(globalThis, name);
}
