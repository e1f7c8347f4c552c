import { StringDecoder } from 'node:string_decoder';
import { JsonCounter } from 'toolwright/internal';
import { BODY_EXTENT } from '../../limits.js';
import type { HttpBody } from './HttpInput.js';

/** Decodes and counts a body part by part, because decoding a large one at once would block the process. */
export class ArrivingBody {
  readonly #limit: number;
  readonly #decoder = new StringDecoder('utf8');
  readonly #counter = new JsonCounter(BODY_EXTENT);
  #texts: string[] = [];
  #size = 0;

  /** @param limit the most bytes */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Takes the next part. Returns false once there are too many bytes and the body should not be read further. */
  add(part: Uint8Array): boolean {
    this.#size += part.byteLength;
    if (this.#size > this.#limit) return false;
    // The rest of a body with too many values is still read, because many clients miss an answer before its end.
    if (this.#holdsTooMuch) return true;
    const text = this.#decoder.write(Buffer.from(part.buffer, part.byteOffset, part.byteLength));
    if (this.#counter.add(text).excess === undefined) this.#texts.push(text);
    else this.#texts = [];
    return true;
  }

  end(): HttpBody {
    if (this.#size > this.#limit) return { kind: 'too large' };
    if (this.#holdsTooMuch) return { kind: 'too much' };
    return { kind: 'text', text: this.#texts.join('') + this.#decoder.end() };
  }

  get #holdsTooMuch(): boolean {
    return this.#counter.excess !== undefined;
  }
}
