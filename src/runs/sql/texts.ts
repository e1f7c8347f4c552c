/** Writes a text without zero bytes and lone surrogates, which databases do not keep: escaped as in JSON. */
export function plainText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Reads what `plainText` wrote. */
export function textIn(plain: string): string {
  return JSON.parse(`"${plain}"`) as string;
}
