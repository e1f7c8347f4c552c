/** A part of a text that is replaced. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Returns the text with the edits; those at the same place come in their order. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let [made, at] = ['', 0];
  for (const edit of [...edits].sort((a, b) => a.start - b.start)) {
    made += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return made + text.slice(at);
}
