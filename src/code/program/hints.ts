import { didYouMean, messageOf } from '../../common/text.js';
import type { TypeShape } from '../../metadata/ClassShape.js';
import type { ErrorHint } from '../ProgramOptions.js';
import type { ProgramCall, ProgramFault } from '../ExecutionResult.js';
import { linesOf } from '../faultAt.js';
import type { ProgramTools } from '../ProgramTools.js';

/** The sources of hints. */
export interface HintSources {
  readonly code: string;
  readonly tools: ProgramTools;
  readonly calls: readonly ProgramCall[];
  readonly errorHint: ErrorHint | undefined;
}

/** Adds a hint to a fault: that of `errorHint`, else its present one, else one inferred from the program. */
export function withHint(fault: ProgramFault, sources: HintSources): ProgramFault {
  const hint =
    ownHint(fault, sources) ?? fault.hint ?? referenceHint(fault, sources) ?? resultHint(fault, sources) ?? null;
  return hint === fault.hint ? fault : { ...fault, hint };
}

function ownHint(fault: ProgramFault, { code, errorHint }: HintSources): string | undefined {
  try {
    return errorHint?.(fault, code) ?? undefined;
  } catch (error) {
    return `(the host's own hint failed: ${messageOf(error)})`;
  }
}

/** Hint for an undefined name that may be meant as a tool. */
function referenceHint({ kind, message }: ProgramFault, { tools }: HintSources): string | undefined {
  const name = /'?([\w$]+)'? is not (?:defined|initialized)/.exec(message)?.[1];
  if (kind !== 'reference' || name === undefined) return undefined;
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

/** Hint for a result that is used without await, or by a property that it lacks. */
function resultHint({ kind, line }: ProgramFault, { code, tools, calls }: HintSources): string | undefined {
  if (kind !== 'type' || line === null) return undefined;
  const text = linesOf(code)[line - 1] ?? '';
  for (const { variable, tool: name, isAwaited } of originsIn(code, tools)) {
    const property = new RegExp(`(?<![\\w$.])${escaped(variable)}\\s*\\??\\.\\s*([\\w$]+)`).exec(text)?.[1];
    if (property === undefined) continue;
    if (!isAwaited) return `${name} gives a promise: write \`${variable} = await ${name}(…)\`.`;
    const keys = keysOf(name, tools, calls);
    if (keys !== undefined && !keys.includes(property))
      return `The result of ${name} has no "${property}".${didYouMean(property, keys)} It has: ${keys.join(', ')}.`;
  }
  return undefined;
}

const ASSIGNMENT = /(?<![\w$.])([\w$]+)\s*(?::[^=;\n]{1,100})?=\s*(\(?\s*await\s+)?([\w$]+)\s*\(/g;

function originsIn(code: string, tools: ProgramTools): readonly Origin[] {
  return [...code.slice(0, LONGEST).matchAll(ASSIGNMENT)].flatMap(([, variable = '', awaited, tool = '']) =>
    tools.find(tool) === undefined ? [] : [{ variable, tool, isAwaited: awaited !== undefined }],
  );
}

const LONGEST = 20_000;

/** The properties of a tool's results: those declared, else those of its last result. */
function keysOf(name: string, tools: ProgramTools, calls: readonly ProgramCall[]): readonly string[] | undefined {
  const tool = tools.find(name);
  const declared = declaredKeys(tool?.metadata.result ?? null);
  if (declared !== undefined) return declared;
  const result = calls.filter((call) => tools.find(call.name) === tool && call.status === 'ok').at(-1)?.result;
  return typeof result === 'object' && result !== null && !Array.isArray(result) ? Object.keys(result) : undefined;
}

function declaredKeys(type: TypeShape | null): readonly string[] | undefined {
  return type?.kind === 'object' ? type.shape.fields.map(({ wireName }) => wireName) : undefined;
}

function escaped(text: string): string {
  return text.replace(/[$]/g, '\\$&');
}
