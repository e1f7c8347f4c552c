/** True for a text that is a regular expression of JSON Schema, which V8 reads with the flag u. */
export function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u').source !== '';
  } catch {
    return false;
  }
}
