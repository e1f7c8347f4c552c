import { type Fields, isRecord } from 'toolwright/internal/light';

/**
 * Returns what the provider says of a request's beginning: why its cache could not be used, and which thinking it left out or
 * would have refused, with the reason, since thinking is also refused for another model, organisation or end user.
 *
 * @returns undefined if it says nothing
 */
export function readPrefixReport(message: unknown): string | undefined {
  if (!isRecord(message)) return undefined;
  const { diagnostics, input_transformations: transformations } = message;
  const reason = isRecord(diagnostics) ? diagnostics['cache_miss_reason'] : undefined;
  const said = [
    ...(isRecord(reason) && typeof reason['type'] === 'string' ? [reason['type']] : []),
    ...(Array.isArray(transformations) ? transformations.filter(isRecord).map(formatTransformation) : []),
  ];
  return said.length === 0 ? undefined : said.join('; ');
}

function formatTransformation({ type, path, reason }: Fields): string {
  return `${String(type)} ${String(path)}: ${String(reason)}`;
}
