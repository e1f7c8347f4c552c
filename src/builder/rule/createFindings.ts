import { className } from '../../common/classes.js';
import type { ErrorCode } from '../../error/remedies.js';
import { createFinding, type Finding } from '../../error/Finding.js';
import type { SectionDraft, ToolDraft } from '../PromptDraft.js';
import { describeValue } from '../../common/text.js';

export function createToolFinding(
  code: ErrorCode,
  tool: ToolDraft,
  problem: string,
  details: Partial<Finding> = {},
): Finding {
  return createFinding(code, problem, {
    place: tool.place,
    className: className(tool.owner),
    member: tool.member,
    sectionPath: tool.sectionPath,
    toolName: tool.name,
    paramsType: tool.params?.name,
    ...details,
  });
}

export function createSectionFinding(
  code: ErrorCode,
  section: SectionDraft,
  problem: string,
  details: Partial<Finding> = {},
): Finding {
  return createFinding(code, problem, {
    place: className(section.type),
    className: className(section.type),
    sectionPath: section.path,
    paramsType: section.params?.name,
    ...details,
  });
}

/** Describes the fault of a required text. Code without types may pass anything, or leave it out. */
export function isEmptyText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? 'empty' : undefined;
  return value === undefined || value === null ? 'missing' : `${describeValue(value)}, not a text`;
}
