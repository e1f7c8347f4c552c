/** Copies a value, with another one at a path; arrays stay arrays. */
export function changeAt(value: unknown, [step, ...rest]: readonly (string | number)[], to: unknown): unknown {
  if (step === undefined) return to;
  const copy = (Array.isArray(value) ? [...(value as readonly unknown[])] : { ...(value as object) }) as Record<
    string | number,
    unknown
  >;
  copy[step] = changeAt(copy[step], rest, to);
  return copy;
}
