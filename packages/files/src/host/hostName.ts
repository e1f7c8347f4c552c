import { isUtf8 } from 'node:buffer';
import { crypto } from 'toolwright/internal/light';

declare const bytes: unique symbol;

/**
 * A name as stored by the host. Each character is one byte, so that a name that is not UTF-8 is preserved; decoding and encoding it
 * would yield another name.
 */
export type HostName = string & { readonly [bytes]: true };

/** The encoding with which names are decoded from the host's bytes and encoded again. */
export const BYTES = 'latin1';

/** The name of a directory in itself. */
export const SELF = '.' as HostName;

/** Names that are never shown, opened or changed: `.git`, and our own unfinished files. */
const HIDDEN = /^\.(?:git|toolwright-[\da-f]{16})$/i;

export function encodeHostName(text: string): HostName {
  return Buffer.from(text).toString(BYTES) as HostName;
}

/** Decodes a name as text; undefined if its bytes are not UTF-8. */
export function decodeHostName(name: HostName): string | undefined {
  const encoded = Buffer.from(name, BYTES);
  return isUtf8(encoded) ? encoded.toString() : undefined;
}

/** Formats a name with any bytes for a message. */
export function formatHostName(name: HostName): string {
  return Buffer.from(name, BYTES).toString();
}

export function isHidden(name: string): boolean {
  return HIDDEN.test(name);
}

/** Creates a name for an unfinished file. */
export function createTemporaryName(): HostName {
  return encodeHostName(`.toolwright-${crypto().randomBytes(8).toString('hex')}`);
}
