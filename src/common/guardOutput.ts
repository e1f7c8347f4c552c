import { Writable } from 'node:stream';

/** The output of a process, reserved for one writer. */
export interface GuardedOutput<T extends Writable> {
  /** The output for that writer. */
  readonly output: T;
  /** Gives the output back to all other writers. */
  readonly restore: () => void;
}

/** The parts of a stream below its public methods. Every way of writing to it uses them. */
type Sink = Readonly<Record<'_write' | '_writev' | '_final' | 'end', unknown>>;

/**
 * Reserves an output for one writer, such as a protocol or the result of a command. Text of any other code, such as
 * `console.log` of a user's module, goes to another output. An error of the writer's own text is an event of the
 * output.
 *
 * @param onFirst called at the first redirection
 */
export function guardOutput<T extends Writable>(output: T, instead: Writable, onFirst: () => void): GuardedOutput<T> {
  // Read here, because the stream has another one from now on.
  const write = output._write.bind(output);
  // Pass buffers on. The stream of a file would take the encoding of a string for a position, and overwrite the file.
  const own = new Writable({ write });
  own.on('error', (error) => output.emit('error', error));
  const guarded = new Proxy(own, {
    get: (target, key): unknown => {
      // The kind of the output and its size are properties of the underlying stream.
      const owner = key in target ? target : output;
      const value: unknown = Reflect.get(owner, key);
      return typeof value === 'function' ? (value.bind(owner) as unknown) : value;
    },
  });
  const redirected = redirect(output, instead, onFirst);
  const names = Object.keys(redirected) as (keyof Sink)[];
  const restores = names.map((name) => replaceMethod(output, name, redirected[name]));
  return {
    output: guarded as unknown as T,
    restore: () => {
      for (const restore of restores) restore();
    },
  };
}

function redirect(output: Writable, instead: Writable, onFirst: () => void): Sink {
  let isReported = false;
  const write: Writable['_write'] = (chunk, encoding, done) => {
    if (!isReported) {
      isReported = true;
      onFirst();
    }
    // At once, so that nothing is lost when the process ends. The other output reports its errors itself.
    instead.write(chunk, encoding);
    done();
  };
  const end = (...given: readonly unknown[]): Writable => {
    const [text] = given;
    if (typeof text === 'string' || text instanceof Uint8Array) output.write(text);
    const done = given.find((each): each is () => void => typeof each === 'function');
    // The output stays open for its writer; the code that ended it waits for nothing else.
    if (done !== undefined) queueMicrotask(done);
    return output;
  };
  const final: Writable['_final'] = (done) => {
    done();
  };
  return { _write: write, _writev: undefined, _final: final, end };
}

/** Replaces a method of one object. The returned function restores the old one. */
function replaceMethod(target: Writable, name: keyof Sink, method: unknown): () => void {
  const own = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, { value: method, writable: true, configurable: true });
  return () => {
    // A method that other code has put there since stays: that code has to remove it.
    if (target[name] !== method) return;
    if (own === undefined) Reflect.deleteProperty(target, name);
    else Object.defineProperty(target, name, own);
  };
}
