import { aNumber, anInteger, aText, describeMisfit, fieldsOf, isRecord, listOf, recordOf } from '../common/dataForm.js';
import { describeValue, didYouMean } from '../common/text.js';
import type { BundleEntry, BundleHead } from './BundleEntry.js';
import { unreadable } from './bundleFaults.js';
import { entryForms } from './entryForms.js';

const headForm = fieldsOf({ createdAt: aNumber, versions: recordOf(aText) });
const placeForm = fieldsOf({ seq: anInteger, time: aNumber }, { leftOut: listOf(aText) });

/** Checks the first line of a bundle. @throws ToolwrightError E750 */
export function checkHead(value: unknown): BundleHead {
  const { kind, format, version } = isRecord(value) ? value : {};
  if (kind !== 'bundle' || format !== 'toolwright/bundle')
    throw unreadable(1, 'expected the head of a bundle: {"kind":"bundle","format":"toolwright/bundle","version":1,…}');
  if (version !== 1) throw unreadable(1, `expected version 1, got ${describeValue(version)}`);
  const misfit = headForm(value);
  if (misfit !== undefined) throw unreadable(1, `${misfit.path}: ${describeMisfit(misfit)}`);
  return value as BundleHead;
}

/**
 * Checks another line of a bundle.
 *
 * @param after the `seq` of the entry before; -1 for the first
 * @throws ToolwrightError E750
 */
export function checkEntry(value: unknown, line: number, after: number): BundleEntry {
  if (!isRecord(value)) throw unreadable(line, `expected an entry, got ${describeValue(value)}`);
  const { kind, seq } = value;
  if (typeof kind !== 'string' || !Object.hasOwn(entryForms, kind)) {
    const hint = typeof kind === 'string' ? didYouMean(kind, Object.keys(entryForms)) : '';
    throw unreadable(line, `expected a kind of entry, got ${describeValue(kind)}.${hint}`);
  }
  const misfit = placeForm(value) ?? entryForms[kind as BundleEntry['kind']](value);
  if (misfit !== undefined) throw unreadable(line, `${kind}.${misfit.path}: ${describeMisfit(misfit)}`);
  if ((seq as number) <= after)
    throw unreadable(line, `expected seq as a number greater than ${String(after)}, got ${describeValue(seq)}`);
  return value as unknown as BundleEntry;
}
