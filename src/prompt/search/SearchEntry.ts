import { MAX_INDEXED_PARAM_CHARS, MAX_INDEXED_TEXT_CHARS } from './limits.js';
import { isArray, isRecord } from '../../common/guards.js';
import { getOrCreate } from '../../common/memoize.js';
import type { JsonSchema } from '../../common/types.js';
import type { Template } from '../../metadata/Template.js';
import type { RenderedTool } from '../RenderedTool.js';
import type { SectionNode } from '../SectionNode.js';

/** A tool or a section that a search may find, whether or not it is enabled now. */
export interface SearchEntry {
  /** The sections from the root down to the one that it is, or that holds it. */
  readonly trail: readonly SectionNode[];
  /** Undefined for a section. */
  readonly tool: RenderedTool | undefined;
}

/** The texts by which an entry is found. */
export interface SearchTexts {
  readonly name: string;
  readonly description: string;
  readonly parameters: string;
  /** The title of its section; empty for a section. */
  readonly section: string;
}

/** Lists the tools and sections that may be closed: those that are searchable, and those that have a summary above. */
export function listSearchEntries(roots: readonly SectionNode[]): readonly SearchEntry[] {
  const entries: SearchEntry[] = [];
  const visit = (node: SectionNode, above: readonly SectionNode[], isBelowSummary: boolean): void => {
    const trail = [...above, node];
    const mayClose = isBelowSummary || node.summary !== null;
    if (mayClose) entries.push({ trail, tool: undefined });
    if (mayClose || node.metadata.searchable) for (const tool of node.tools) entries.push({ trail, tool });
    for (const child of node.children) visit(child, trail, mayClose);
  };
  for (const root of roots) visit(root, [], false);
  return entries;
}

const written = new WeakMap<JsonSchema, string>();

/** Writes the texts of an entry. Each is cut, so that a description of every word there is finds its tool no more often. */
export function writeSearchTexts({ trail, tool }: SearchEntry): SearchTexts {
  const node = trail.at(-1);
  const title = node === undefined ? '' : `${node.metadata.title} ${node.metadata.key}`;
  const texts =
    tool === undefined
      ? { name: title, description: writeTemplate(node?.metadata.summary), section: '' }
      : { name: tool.name, description: tool.description, section: title };
  return {
    name: texts.name.slice(0, MAX_INDEXED_TEXT_CHARS),
    description: texts.description.slice(0, MAX_INDEXED_TEXT_CHARS),
    parameters: tool === undefined ? '' : getOrCreate(written, tool.schema, describeParameters),
    section: texts.section.slice(0, MAX_INDEXED_TEXT_CHARS),
  };
}

/** Returns the literal text of a template: placeholders get their values only when it is rendered. */
function writeTemplate(template: Template | undefined): string {
  return (template?.parts ?? []).map((part) => ('text' in part ? part.text : '')).join(' ');
}

/** Writes the names, descriptions and choices of parameters at any depth, until the limit is reached. */
function describeParameters(schema: JsonSchema): string {
  const parts: string[] = [];
  let room = MAX_INDEXED_PARAM_CHARS;
  const note = (word: unknown): void => {
    if (typeof word !== 'string' || room <= 0) return;
    parts.push(word.slice(0, room));
    room -= word.length + 1;
  };
  // The outer parameters come first: they say more about the tool than those within.
  const queue: unknown[] = [schema];
  for (let at = 0; at < queue.length && room > 0; at++) {
    const part = queue[at];
    if (!isRecord(part)) continue;
    const { properties, items, enum: choices, $defs } = part;
    if (isRecord(properties))
      for (const [name, property] of Object.entries(properties)) {
        note(name);
        if (isRecord(property)) note(property['description']);
        queue.push(property);
      }
    if (isArray(choices)) choices.forEach(note);
    if (isRecord($defs)) queue.push(...Object.values($defs));
    queue.push(items);
    for (const key of ['anyOf', 'oneOf', 'allOf'] as const) {
      const branches = part[key];
      if (isArray(branches)) queue.push(...branches);
    }
  }
  return parts.join(' ');
}
