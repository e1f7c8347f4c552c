import { aNumber, anInteger, aText, describeMisfit, fieldsOf, listOf, recordOf } from '../common/dataForm.js';
import { isRecord } from '../common/guards.js';
import { describeValue, didYouMean } from '../common/text.js';
import type { BundleEntry, BundleHead } from './BundleEntry.js';
import { entryForms } from './entryForms.js';
import { formatMessage, ToolwrightError } from '../error/ToolwrightError.js';

const headForm = fieldsOf({ createdAt: aNumber, versions: recordOf(aText) });
const placeForm = fieldsOf({ seq: anInteger, time: aNumber }, { leftOut: listOf(aText) });

/** Checks the first line of a bundle. @throws ToolwrightError E750 */
export function checkHead(value: unknown): BundleHead {
  const { kind, format, version } = isRecord(value) ? value : {};
  if (kind !== 'bundle' || format !== 'toolwright/bundle')
    throw createUnreadableError(
      1,
      'expected the head of a bundle: {"kind":"bundle","format":"toolwright/bundle","version":1,…}',
    );
  if (version !== 1) throw createUnreadableError(1, `expected version 1, got ${describeValue(version)}`);
  const misfit = headForm(value);
  if (misfit !== undefined) throw createUnreadableError(1, `${misfit.path}: ${describeMisfit(misfit)}`);
  return value as BundleHead;
}

/** @param after the `seq` of the entry before; -1 for the first @throws ToolwrightError E750 */
export function checkEntry(value: unknown, line: number, after: number): BundleEntry {
  if (!isRecord(value)) throw createUnreadableError(line, `expected an entry, got ${describeValue(value)}`);
  const { kind, seq } = value;
  if (typeof kind !== 'string' || !Object.hasOwn(entryForms, kind)) {
    const hint = typeof kind === 'string' ? didYouMean(kind, Object.keys(entryForms)) : '';
    throw createUnreadableError(line, `expected a kind of entry, got ${describeValue(kind)}.${hint}`);
  }
  const misfit = placeForm(value) ?? entryForms[kind as BundleEntry['kind']](value);
  if (misfit !== undefined) throw createUnreadableError(line, `${kind}.${misfit.path}: ${describeMisfit(misfit)}`);
  if ((seq as number) <= after)
    throw createUnreadableError(
      line,
      `expected seq as a number greater than ${String(after)}, got ${describeValue(seq)}`,
    );
  return value as unknown as BundleEntry;
}

/** Makes the error E750: a line of a bundle does not fit. */
export function createUnreadableError(line: number, problem: string, cause?: unknown): ToolwrightError {
  const details = { code: 'E750', place: `line ${String(line)}`, cause } as const;
  return new ToolwrightError(formatMessage(problem, details), details);
}

/** Makes the error E751: a bundle, or a line of it, is too large. */
export function createBundleSizeError(place: string, problem: string): ToolwrightError {
  const details = { code: 'E751', place } as const;
  return new ToolwrightError(formatMessage(problem, details), details);
}
