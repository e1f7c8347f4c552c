import { ContainerError } from 'toolwright';

/** The properties of an unsent response that may be read; all others are refused. */
const UNSENT: Readonly<Record<string, unknown>> = {
  headersSent: false,
  sent: false,
  statusCode: 200,
  writableEnded: false,
  writableFinished: false,
  finished: false,
  destroyed: false,
  closed: false,
};

/** Properties that the language and debugging tools read of any value. Reading them is not a use of the response. */
const HARMLESS = new Set([
  'then',
  'catch',
  'toJSON',
  'toString',
  'valueOf',
  'constructor',
  'inspect',
  'prototype',
  'name',
  'length',
]);
/** Methods that may be called on the functions of the response. */
const OF_FUNCTIONS = new Set(['apply', 'bind', 'call']);

/**
 * Replaces the HTTP response in a tool call, which does not have one. It can be passed along, and reports that nothing was sent.
 * Calling a method or setting a property throws E957.
 */
export class ResponseStandIn {
  readonly standIn: object;
  #refusal: ContainerError | undefined;

  /** @param place the class and member of the tool */
  constructor(place: string) {
    this.standIn = createStandIn({}, '', (member) => {
      this.#refusal = new ContainerError(`response.${member} was used, but a tool call has no HTTP response`, {
        code: 'E957',
        place,
      });
      throw this.#refusal;
    });
  }

  /** Returns the latest refusal and clears it; undefined if nothing was refused since the last call. */
  takeRefusal(): ContainerError | undefined {
    const refusal = this.#refusal;
    this.#refusal = undefined;
    return refusal;
  }
}

function createStandIn(target: object, path: string, refuse: (member: string) => never): object {
  const nameOf = (key: PropertyKey): string => (path === '' ? String(key) : `${path}.${String(key)}`);
  return new Proxy(target, {
    get: (_target, key): unknown => {
      if (typeof key === 'symbol' || HARMLESS.has(key)) return Reflect.get(target, key);
      if (path !== '' && OF_FUNCTIONS.has(key)) return Reflect.get(target, key);
      if (Object.hasOwn(UNSENT, key)) return UNSENT[key];
      return createStandIn(() => undefined, nameOf(key), refuse);
    },
    has: (_target, key) => typeof key === 'string' && !HARMLESS.has(key),
    set: (_target, key) => refuse(nameOf(key)),
    defineProperty: (_target, key) => refuse(nameOf(key)),
    deleteProperty: (_target, key) => refuse(nameOf(key)),
    apply: () => refuse(path),
  });
}
