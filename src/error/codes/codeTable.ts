/** Types a table by its codes: declarations would repeat the texts otherwise. */
export function codeTable<C extends string>(remedies: Readonly<Record<C, string>>): Readonly<Record<C, string>> {
  return remedies;
}
