import { escapeUnits } from './text.js';

// One sequence of emoji, which is kept: the joiner and the selector in it are part of the displayed text.
const EMOJI =
  /\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?(?:\u200d\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?)*|[#*0-9]\ufe0f\u20e3/u;
/**
 * A character that a terminal acts on, that changes the display of the characters around it, or that is invisible:
 * controls, bidi and other format characters, line separators, fillers, joiners, variation selectors, and blank
 * Braille.
 */
const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
const EMOJI_OR_CONTROL = new RegExp(`${EMOJI.source}|(${CONTROL.source})`, 'gu');

/**
 * Escapes text for one line of a terminal or a log: a control becomes its JSON escape, such as `\u001b`, and a line end
 * becomes `\n`.
 */
export function escapeLine(text: string): string {
  return replaceControls(text, escapeControl);
}

/** Escapes text of several lines for a terminal: line ends and tabs stay, and every other control becomes its JSON escape. */
export function escapeBlock(text: string): string {
  return replaceControls(text.replaceAll('\r\n', '\n'), (control) =>
    control === '\n' || control === '\t' ? control : escapeControl(control),
  );
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

/** Escapes a text of several lines for HTML, and shows the controls as in `escapeBlock`. */
export function escapeHtml(text: string): string {
  return escapeBlock(text).replace(/[&<>"']/g, (character) => ENTITIES.get(character) ?? character);
}

/** Escapes the controls in the strings of JSON text, which keeps its meaning. */
export function escapeJson(json: string): string {
  return replaceControls(json, (control) => (control === '\n' ? control : escapeUnits(control)));
}

function replaceControls(text: string, escape: (control: string) => string): string {
  return text.replace(EMOJI_OR_CONTROL, (found, control?: string) => (control === undefined ? found : escape(control)));
}

const SHORT: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

function escapeControl(control: string): string {
  return SHORT.get(control) ?? escapeUnits(control);
}
