import { isRecord } from 'toolwright/internal/light';

/**
 * Reads the provider's report about the beginning of a request: why its cache could not be used, which thinking was left out or
 * would have been refused, and why. Thinking is also refused for another model, organisation or end user.
 *
 * @returns undefined without a report
 */
export function readPrefixReport(message: unknown): string | undefined {
  if (!isRecord(message)) return undefined;
  const { diagnostics, input_transformations: transformations } = message;
  const reason = isRecord(diagnostics) ? diagnostics['cache_miss_reason'] : undefined;
  const said = [
    ...(isRecord(reason) && typeof reason['type'] === 'string' ? [reason['type']] : []),
    ...(Array.isArray(transformations)
      ? transformations
          .filter(isRecord)
          .map(({ type, path, reason }) => `${String(type)} ${String(path)}: ${String(reason)}`)
      : []),
  ];
  return said.length === 0 ? undefined : said.join('; ');
}
