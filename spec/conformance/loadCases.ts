import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConformanceFault } from './ConformanceFault';
import { isJson, type ConformanceCase } from './format';

/** The cases to run: those of `CONFORMANCE_CASES`, or the project's own. */
export function casesFolder(): string {
  return process.env.CONFORMANCE_CASES ?? join(__dirname, 'cases');
}

/** Every case of the folder's files, in the order of the files' names. @throws ConformanceFault C1, C2 */
export function loadCases(folder: string): readonly ConformanceCase[] {
  return checked(casesIn(folder), folder);
}

/** The same, where there may be none: the folder may hold cases of other formats alone. */
export function casesIn(folder: string): readonly ConformanceCase[] {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort();
  return files.flatMap((name) => casesOf(name, readFileSync(join(folder, name), 'utf8')));
}

/** The cases of one file; none when the file is in another format, which then is another runner's business. */
export function casesOf(name: string, text: string): readonly ConformanceCase[] {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new ConformanceFault('C4', String(error), name);
  }
  const found = isJson(content) ? content['cases'] : undefined;
  if (!Array.isArray(found)) throw new ConformanceFault('C4', 'it has no list of cases', name);
  // Programs and faults have lists of cases, too; only this format names a kind with an input.
  if (!found.some((entry) => isJson(entry) && 'kind' in entry && 'input' in entry)) return [];
  return found.map((entry, index) => asCase(entry, `${name} case ${index}`));
}

/** @throws ConformanceFault C1, C2 */
export function checked<C extends Pick<ConformanceCase, 'id' | 'what'>>(
  cases: readonly C[],
  folder: string,
): readonly C[] {
  if (cases.length === 0) throw new ConformanceFault('C2', folder);
  const ids = new Set<string>();
  for (const { id, what } of cases) {
    if (ids.has(id)) throw new ConformanceFault('C1', what, id);
    ids.add(id);
  }
  return cases;
}

function asCase(entry: unknown, place: string): ConformanceCase {
  if (!isJson(entry)) throw new ConformanceFault('C4', 'it is no object', place);
  for (const field of ['id', 'area', 'kind', 'what']) {
    if (typeof entry[field] !== 'string') throw new ConformanceFault('C4', `it has no ${field}`, place);
  }
  if (!isJson(entry['input'])) throw new ConformanceFault('C4', 'it has no input', place);
  if (!('expected' in entry)) throw new ConformanceFault('C4', 'it has no expected', place);
  return entry as unknown as ConformanceCase;
}
