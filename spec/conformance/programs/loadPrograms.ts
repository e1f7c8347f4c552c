import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConformanceFault } from '../ConformanceFault';
import { isJson } from '../format';
import type { Attack, ProgramCase } from './format';

/** The cases and attacks of one folder. */
export interface Programs {
  readonly cases: readonly ProgramCase[];
  readonly attacks: readonly Attack[];
}

/** Every case about programs of the folder's files; files of another format are another runner's business. */
export function loadPrograms(folder: string): Programs {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => ({ name, content: JSON.parse(readFileSync(join(folder, name), 'utf8')) as unknown }));
  return {
    cases: files.flatMap(({ name, content }) => entries(name, content, 'cases')) as ProgramCase[],
    attacks: files.flatMap(({ name, content }) => entries(name, content, 'escapes')) as Attack[],
  };
}

function entries(name: string, content: unknown, list: 'cases' | 'escapes'): readonly unknown[] {
  const found = isJson(content) ? content[list] : undefined;
  if (!Array.isArray(found)) return [];
  // Only this format has programs; those of other formats have kinds, or neither.
  return found
    .filter((entry) => isJson(entry) && 'code_js' in entry)
    .map((entry, index) => checked(entry as Partial<ProgramCase>, `${name} ${list} ${String(index)}`));
}

function checked(entry: Partial<ProgramCase>, place: string): unknown {
  for (const field of ['id', 'area', 'what'] as const)
    if (typeof entry[field] !== 'string') throw new ConformanceFault('C4', `it has no ${field}`, place);
  if (!Array.isArray(entry.tools)) throw new ConformanceFault('C4', 'it has no tools', place);
  return entry;
}
