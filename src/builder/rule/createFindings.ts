import { className } from '../../common/classes.js';
import type { ErrorCode } from '../../error/remedies.js';
import { createFinding, type Finding, type FindingDetails } from '../../error/Finding.js';
import type { SectionDraft, ToolDraft } from '../PromptDraft.js';
import { describeValue } from '../../common/text.js';

export function createClassFinding(
  code: ErrorCode,
  type: unknown,
  problem: string,
  details: FindingDetails = {},
): Finding {
  return createFinding(code, problem, { place: className(type), className: className(type), ...details });
}

export function createToolFinding(
  code: ErrorCode,
  { owner, place, member, sectionPath, name: toolName, params }: ToolDraft,
  problem: string,
  details: FindingDetails = {},
): Finding {
  const ofTool = { place, member, sectionPath, toolName, paramsType: params?.name };
  return createClassFinding(code, owner, problem, { ...ofTool, ...details });
}

export function createSectionFinding(
  code: ErrorCode,
  { type, path, params }: SectionDraft,
  problem: string,
  details: FindingDetails = {},
): Finding {
  return createClassFinding(code, type, problem, { sectionPath: path, paramsType: params?.name, ...details });
}

/**
 * Creates a finding for each item whose key an earlier item has.
 *
 * @param keyOf returns undefined for an item without a key
 */
export function createRepeatFindings<T>(
  items: readonly T[],
  keyOf: (item: T) => string | undefined,
  create: (item: T, first: T) => Finding,
): readonly Finding[] {
  const firsts = new Map<string, T>();
  return items.flatMap((item) => {
    const key = keyOf(item);
    if (key === undefined) return [];
    const first = firsts.get(key);
    if (first !== undefined) return [create(item, first)];
    firsts.set(key, item);
    return [];
  });
}

/** Describes the fault of a required text. Code without types may pass anything, or leave it out. */
export function isEmptyText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? 'empty' : undefined;
  return value === undefined || value === null ? 'missing' : `${describeValue(value)}, not a text`;
}
