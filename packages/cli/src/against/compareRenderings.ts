import { isDeepStrictEqual } from 'node:util';
import type { BundleEntry, BundleTool } from 'toolwright/bundles';
import { compareSchemas } from '../contract/compareSchemas.js';
import { excerpt, excerptJson, type Difference } from './excerpt.js';

type Rendering = BundleEntry<'rendering'>;

/** Finds the first section or tool that changes the beginning of every request; undefined if the request begins as recorded. */
export function findPrefixChange(before: Rendering, after: Rendering): Difference | undefined {
  return findSectionChange(before, after) ?? findToolChange(before.tools, after.tools);
}

function findSectionChange(before: Rendering, after: Rendering): Difference | undefined {
  if (before.text === after.text) return undefined;
  for (let index = 0; index < Math.max(before.sections.length, after.sections.length); index++) {
    const [had, has] = [before.sections[index], after.sections[index]];
    if (had?.path !== has?.path) return compareOrder(before, after, had?.path, has?.path);
    if (had === undefined || has === undefined) break;
    const [was, is] = [before.text.slice(had.start, had.end), after.text.slice(has.start, has.end)];
    if (was !== is) return { where: `section ${had.path}`, what: 'another text', ...excerpt(was, is) };
  }
  return { where: 'the prompt', what: 'another text', ...excerpt(before.text, after.text) };
}

/** Describes sections that do not follow each other as recorded. */
function compareOrder(before: Rendering, after: Rendering, had = '', has = ''): Difference {
  const [were, are] = [before, after].map(({ sections }) => new Set(sections.map(({ path }) => path)));
  if (had !== '' && are?.has(had) !== true) return { where: `section ${had}`, what: 'removed' };
  if (has !== '' && were?.has(has) !== true) return { where: `section ${has}`, what: 'added' };
  return { where: `section ${has}`, what: `stands where ${had} stood` };
}

function findToolChange(before: readonly BundleTool[], after: readonly BundleTool[]): Difference | undefined {
  const names = (tools: readonly BundleTool[]): readonly string[] => tools.map(({ name }) => name);
  for (let index = 0; index < Math.max(before.length, after.length); index++) {
    const [had, has] = [before[index], after[index]];
    if (had === undefined || (has !== undefined && !names(before).includes(has.name)))
      return { where: has?.name ?? '', what: 'tool added' };
    if (has === undefined || !names(after).includes(had.name)) return { where: had.name, what: 'tool removed' };
    if (had.name !== has.name) return { where: has.name, what: `stands where ${had.name} stood` };
    if (had.description !== has.description)
      return { where: had.name, what: 'another description', ...excerpt(had.description, has.description) };
    if (!isDeepStrictEqual(had.schema, has.schema))
      return { where: had.name, what: 'another schema', ...excerptJson(had.schema, has.schema) };
  }
  return undefined;
}

/** Finds the tools that were added or removed, or that have another schema. */
export function findToolChanges(before: readonly BundleTool[], after: readonly BundleTool[]): readonly Difference[] {
  const [had, has] = [before, after].map((tools) => new Map(tools.map((tool) => [tool.name, tool])));
  const removed = before.filter(({ name }) => has?.has(name) !== true);
  const changed = after.flatMap(({ name, schema }): readonly Difference[] => {
    const old = had?.get(name);
    if (old === undefined) return [{ where: name, what: 'added' }];
    if (isDeepStrictEqual(old.schema, schema)) return [];
    const rules = compareSchemas(old.schema, schema).map(({ path, what }) => (path === '' ? what : `${path}: ${what}`));
    if (rules.length > 0) return [{ where: name, what: rules.join('; ') }];
    return [{ where: name, what: 'another schema', ...excerptJson(old.schema, schema) }];
  });
  return [...removed.map(({ name }) => ({ where: name, what: 'removed' })), ...changed];
}
