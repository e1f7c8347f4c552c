import { wellFormed } from '../common/wellFormed.js';

/** A result that holds JSON as a text is itself written as JSON, and then quoted by a log or a message. */
const MOST_ESCAPES = 3;

/** Returns the ways in which a text is written: as it is, within JSON at several levels, and percent-encoded in an address. */
export function writtenForms(text: string): readonly string[] {
  // Thousands of secrets of one call are mostly plain words.
  if (/^[\w.~ -]*$/.test(text))
    return text.includes(' ') ? [text, text.replaceAll(' ', '%20'), text.replaceAll(' ', '+')] : [text];
  const forms = [text];
  for (let level = 0; level < MOST_ESCAPES; level++) {
    const last = forms[level] as string;
    const escaped = JSON.stringify(last).slice(1, -1);
    if (escaped === last) break;
    forms.push(escaped);
  }
  return forms.flatMap((form) => (/^[\w.~-]*$/.test(form) ? [form] : [form, ...encodedForms(form)]));
}

function encodedForms(text: string): readonly string[] {
  const whole = wellFormed(text);
  const encoded = encodeURIComponent(whole);
  return [encodeURI(whole), encoded, encoded.replaceAll('%20', '+')];
}
