import { didYouMean, keyText, joinBounded, messageOf, isRecord } from 'toolwright/internal/light';
import type { TypeShape } from 'toolwright/internal';
import type { ErrorHint } from '../ProgramOptions.js';
import type { ProgramFault } from '../ExecutionResult.js';
import { findLineRange } from '../createFault.js';
import type { ProgramTools } from '../ProgramTools.js';
import { MAX_CHARS_AROUND_FAULT, MAX_CHARS_BEFORE_FAULT, MAX_COMPARED_KEYS, MAX_SHOWN_KEYS } from '../limits.js';

/** The sources of hints. */
export interface HintSources {
  readonly code: string;
  readonly tools: ProgramTools;
  /** Returns a copy of the last result of these tools; undefined without one. A copy takes time. */
  readonly lastResult: (isOfTool: (name: string) => boolean) => unknown;
  readonly errorHint: ErrorHint | undefined;
}

/** Adds a hint to a fault: the one from `errorHint`, else its present one, else one inferred from the program. */
export function addHint(fault: ProgramFault, sources: HintSources): ProgramFault {
  const hint =
    readOwnHint(fault, sources) ??
    fault.hint ??
    writeReferenceHint(fault, sources) ??
    writeResultHint(fault, sources) ??
    null;
  return hint === fault.hint ? fault : { ...fault, hint };
}

function readOwnHint(fault: ProgramFault, { code, errorHint }: HintSources): string | undefined {
  try {
    return errorHint?.(fault, code) ?? undefined;
  } catch (error) {
    return `(the host's own hint failed: ${messageOf(error)})`;
  }
}

// Programs and messages are hostile text: only short parts are read, and the expressions below cannot backtrack.

/** Hint for an undefined name that may be meant as a tool. */
function writeReferenceHint({ kind, message }: ProgramFault, { tools }: HintSources): string | undefined {
  if (kind !== 'reference') return undefined;
  const name = /^'?([\w$]{1,100})'? is not (?:defined|initialized)/.exec(message)?.[1];
  if (name === undefined) return undefined;
  const meant = didYouMean(name, tools.names).trim();
  if (meant !== '') return meant;
  return tools.size === 0
    ? 'No tools are available.'
    : `Tools: ${tools.metadata
        .map((tool) => tool.name)
        .slice(0, 20)
        .join(', ')}.`;
}

/** A variable of the program that holds the result of a tool. */
interface Origin {
  readonly variable: string;
  readonly tool: string;
  readonly isAwaited: boolean;
}

/** Writes a hint for a result that is used without await, or through a property that it lacks. */
function writeResultHint(fault: ProgramFault, sources: HintSources): string | undefined {
  const around = cutTextAround(fault, sources.code);
  if (fault.kind !== 'type' || around === undefined) return undefined;
  const used = findProperties(around.line);
  if (used.size === 0) return undefined;
  const seen = new Set<string>();
  for (const { variable, tool: name, isAwaited } of findOrigins(around.before, sources.tools)) {
    const property = used.get(variable);
    const key = `${variable} ${name} ${String(isAwaited)}`;
    if (property === undefined || seen.has(key)) continue;
    seen.add(key);
    if (!isAwaited) return `${name} gives a promise: write \`${variable} = await ${name}(…)\`.`;
    const keys = findKeys(name, sources);
    if (keys !== undefined && !keys.includes(property))
      return `The result of ${name} has no "${property}".${didYouMean(property, keys.slice(0, MAX_COMPARED_KEYS))} It has: ${formatKeys(keys)}.`;
  }
  return undefined;
}

/** Returns the part of the fault's line near its place, and the program before it; undefined without a place. */
function cutTextAround(
  { line, column }: ProgramFault,
  code: string,
): { readonly line: string; readonly before: string } | undefined {
  const range = line === null ? undefined : findLineRange(code, line);
  if (range === undefined) return undefined;
  const place = range.start + Math.max(0, (column ?? 1) - 1);
  const end = Math.min(range.end, place + MAX_CHARS_AROUND_FAULT);
  return {
    line: code.slice(Math.max(range.start, place - MAX_CHARS_AROUND_FAULT), end),
    before: code.slice(Math.max(0, end - MAX_CHARS_BEFORE_FAULT), end),
  };
}

/** Lists the first keys of a result, which may have any number of keys of any length. */
function formatKeys(keys: readonly string[]): string {
  const first = keys.slice(0, MAX_SHOWN_KEYS).map(keyText);
  return keys.length > MAX_SHOWN_KEYS
    ? `${joinBounded(first)} and ${String(keys.length - MAX_SHOWN_KEYS)} more`
    : joinBounded(first);
}

const PROPERTY = /(?<![\w$.])([\w$]{1,100})\s{0,5}\??\.\s{0,5}([\w$]{1,100})/g;

/** Returns the first property of each variable in a text. */
function findProperties(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, variable = '', property = ''] of text.matchAll(PROPERTY))
    if (!found.has(variable)) found.set(variable, property);
  return found;
}

const ASSIGNMENT =
  /(?<![\w$.])([\w$]{1,100})\s{0,5}(?::[^=;\n]{1,100})?=\s{0,5}(\(?\s{0,5}await\s{1,5})?([\w$]{1,100})\s{0,5}\(/g;

function findOrigins(code: string, tools: ProgramTools): readonly Origin[] {
  return [...code.matchAll(ASSIGNMENT)].flatMap(([, variable = '', awaited, tool = '']) =>
    tools.find(tool) === undefined ? [] : [{ variable, tool, isAwaited: awaited !== undefined }],
  );
}

/** Returns the properties of a tool's results: the declared ones, else the keys of its last result. */
function findKeys(name: string, { tools, lastResult }: HintSources): readonly string[] | undefined {
  const tool = tools.find(name);
  const declared = readDeclaredKeys(tool?.metadata.result ?? null);
  if (declared !== undefined) return declared;
  const result = lastResult((called) => tools.find(called) === tool);
  return isRecord(result) ? Object.keys(result) : undefined;
}

function readDeclaredKeys(type: TypeShape | null): readonly string[] | undefined {
  return type?.kind === 'object' ? type.shape.fields.map(({ wireName }) => wireName) : undefined;
}
