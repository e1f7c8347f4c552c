// One sequence of emoji, which stays as it is: the joiner and the selector within it are part of what it shows.
const EMOJI =
  /\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?(?:\u200d\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?)*|[#*0-9]\ufe0f\u20e3/u;
/**
 * A character that a terminal acts on, that changes how the characters around it look, or that shows nothing: controls, bidi and other
 * format characters, separators of lines, fillers, joiners, variation selectors, and blank Braille.
 */
const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
const EMOJI_OR_CONTROL = new RegExp(`${EMOJI.source}|(${CONTROL.source})`, 'gu');

/** Returns text for one line of a terminal or a log: a control becomes its JSON escape, such as `\u001b`, and a line end `\n`. */
export function escapeLine(text: string): string {
  return replaceControls(text, escapeControl);
}

/** Returns text of several lines for a terminal: line ends and tabs stay, and every other control becomes its JSON escape. */
export function escapeBlock(text: string): string {
  return replaceControls(text.replaceAll('\r\n', '\n'), (control) =>
    control === '\n' || control === '\t' ? control : escapeControl(control),
  );
}

/** Returns JSON text whose strings hold no control as it is; it means the same. */
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

function escapeUnits(control: string): string {
  return control
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
