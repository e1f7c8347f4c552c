import { className } from '../../common/classes.js';
import type { ErrorCode } from '../../error/remedies.js';
import { finding, type Finding } from '../../error/Finding.js';
import type { SectionDraft, ToolDraft } from '../PromptDraft.js';

/** Creates a finding about a tool, with its place. */
export function toolFinding(
  code: ErrorCode,
  tool: ToolDraft,
  problem: string,
  details: Partial<Finding> = {},
): Finding {
  return finding(code, problem, {
    place: tool.place,
    className: className(tool.owner),
    member: tool.member,
    sectionPath: tool.sectionPath,
    toolName: tool.name,
    paramsType: tool.params?.name,
    ...details,
  });
}

/** Creates a finding about a section, with its place. */
export function sectionFinding(
  code: ErrorCode,
  section: SectionDraft,
  problem: string,
  details: Partial<Finding> = {},
): Finding {
  return finding(code, problem, {
    place: className(section.type),
    className: className(section.type),
    sectionPath: section.path,
    paramsType: section.params?.name,
    ...details,
  });
}
