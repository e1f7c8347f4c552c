import { HIDDEN } from '../schema/write/secrets.js';
import type { PortGuard } from './PortGuard.js';

/** Guards a hook that redacts texts: where it throws or returns something other than a text, the whole text is hidden. */
export function soundRedact(redact: (text: string) => string, guard: PortGuard): (text: string) => string {
  return (text) =>
    guard.answer(
      'redact',
      () => redact(text),
      isText,
      'a text',
      () => HIDDEN,
    );
}

function isText(given: unknown): given is string {
  return typeof given === 'string';
}
