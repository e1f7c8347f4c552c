const NUMERIC = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d{1,5}))?$/;

/** The number that a text writes as JSON does, if a double holds exactly what is written; otherwise undefined. */
export function exactNumber(text: string): number | undefined {
  const value = Number(text);
  const written = normalised(text);
  return written !== undefined && Number.isFinite(value) && written === normalised(String(value)) ? value : undefined;
}

/** Sign, digits and exponent, the same for all ways to write a number; undefined for a text that is no JSON number. */
function normalised(text: string): string | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMERIC.exec(text) ?? [];
  if (whole === '') return undefined;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${sign}${significant}e${String(power)}`;
}
