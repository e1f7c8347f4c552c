/**
 * Characters that a terminal acts on, or that change how the characters around them look: controls, bidi and other format
 * characters, separators of lines. The two joiners stay, because emoji and some scripts need them.
 */
const CONTROLS = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Returns text for one line of a terminal or a log: a control becomes its JSON escape, such as `\u001b`, and a line end `\n`. */
export function escapeLine(text: string): string {
  return text.replace(CONTROLS, escapeControl);
}

/** Returns text of several lines for a terminal: line ends and tabs stay, and every other control becomes its JSON escape. */
export function escapeBlock(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(CONTROLS, (control) => (control === '\n' || control === '\t' ? control : escapeControl(control)));
}

/** Returns JSON text whose strings hold no control as it is; it means the same. */
export function escapeJson(json: string): string {
  return json.replace(CONTROLS, (control) => (control === '\n' ? control : escapeUnits(control)));
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
