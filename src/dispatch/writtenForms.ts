import { wellFormed } from '../common/wellFormed.js';

/** A result that holds JSON as a text is itself written as JSON, and then quoted by a log or a message. */
const MOST_ESCAPES = 3;

/** The most characters that the forms of one call's secrets have together: more would hold the event loop noticeably. */
const MOST_CHARACTERS = 2_000_000;
/** What a form costs besides its characters, in characters. */
const EACH = 30;
/** How much longer than its text an address usually is, at most. */
const ENCODED = 3;

/**
 * Returns the ways in which texts are written: as they are, within JSON at several levels, and percent-encoded in an address.
 * Returns undefined for texts that have too many of them, or too long ones.
 */
export function writtenForms(texts: Iterable<string>): ReadonlySet<string> | undefined {
  const forms = new Set<string>();
  let room = MOST_CHARACTERS;
  const add = (form: string): void => {
    if (forms.has(form)) return;
    forms.add(form);
    room -= form.length + EACH;
  };
  for (const text of texts) {
    // Thousands of secrets of one call are mostly plain words, which cost next to nothing.
    if (/^[\w.~ -]*$/.test(text)) {
      for (const form of [text, text.replaceAll(' ', '%20'), text.replaceAll(' ', '+')]) forms.add(form);
      continue;
    }
    let level: string | undefined = text;
    for (let escapes = 0; level !== undefined; escapes++) {
      add(level);
      if (level.length * ENCODED > room) return undefined;
      for (const form of encodedForms(level)) add(form);
      level = escapes < MOST_ESCAPES ? escapedForm(level) : undefined;
    }
  }
  return forms;
}

/** Returns a text as it stands within JSON; undefined if it stands there unchanged. */
function escapedForm(text: string): string | undefined {
  const escaped = JSON.stringify(text).slice(1, -1);
  return escaped === text ? undefined : escaped;
}

function encodedForms(text: string): readonly string[] {
  const whole = wellFormed(text);
  const encoded = encodeURIComponent(whole);
  return [encodeURI(whole), encoded, encoded.replaceAll('%20', '+')];
}
