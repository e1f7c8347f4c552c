/** A text as JSON writes it: a text of PostgreSQL has no zero bytes and no lone surrogates. */
export function plainText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Reads what `plainText` wrote. */
export function textIn(plain: string): string {
  return JSON.parse(`"${plain}"`) as string;
}
