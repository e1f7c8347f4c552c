import { isUtf8 } from 'node:buffer';
import { crypto } from '../../../common/builtins.js';

declare const bytes: unique symbol;

/**
 * A name as the host keeps it: each character stands for one byte. So a name that is no UTF-8 stays what it is, and none
 * ever becomes another one, as it would if it were decoded and written again.
 */
export type HostName = string & { readonly [bytes]: true };

/** How names are decoded from the host's bytes and encoded again. */
export const BYTES = 'latin1';

/** What a directory calls itself. */
export const SELF = '.' as HostName;

/** Names that are not shown, never opened, and left as they are: those of git, and our own unfinished files. */
const HIDDEN = /^\.(?:git|toolwright-[\da-f]{16})$/i;

export function hostName(text: string): HostName {
  return Buffer.from(text).toString(BYTES) as HostName;
}

/** The name as text; undefined when its bytes are no UTF-8. */
export function textOf(name: HostName): string | undefined {
  const encoded = Buffer.from(name, BYTES);
  return isUtf8(encoded) ? encoded.toString() : undefined;
}

/** The name for a message, whatever its bytes are. */
export function shownName(name: HostName): string {
  return Buffer.from(name, BYTES).toString();
}

export function isHidden(name: string): boolean {
  return HIDDEN.test(name);
}

/** A new name for a file that is not finished. */
export function temporaryName(): HostName {
  return hostName(`.toolwright-${crypto().randomBytes(8).toString('hex')}`);
}
