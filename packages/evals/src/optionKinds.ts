import { formOf } from 'toolwright/internal';

/** A model adapter of any class. */
export const anAdapter = formOf(
  'a model adapter',
  (value) => typeof (value as { readonly complete?: unknown } | null)?.complete === 'function',
);

/** A whole number from 1 to a limit. */
export function aWholeNumber(most: number): ReturnType<typeof formOf> {
  const fits = (value: unknown): boolean =>
    Number.isInteger(value) && (value as number) >= 1 && (value as number) <= most;
  return formOf(`a whole number from 1 to ${String(most)}`, fits);
}
