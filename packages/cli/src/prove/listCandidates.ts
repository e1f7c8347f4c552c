import type * as fastCheck from 'fast-check';
import { createSerialiser, HIDDEN, type RenderedTool } from 'toolwright/internal';
import { isRecord, messageOf } from 'toolwright/internal/light';
import { readRuns, listBundleFiles } from '../against/readRuns.js';
import { CliError } from '../CliError.js';
import type { Loaded } from '../load/loadApplication.js';
import { MAX_TRIED_ARGUMENTS } from '../limits.js';
import { createValid } from './createArguments.js';
import type { ToolProof } from './ProofSheet.js';

/** Arguments as JSON that may belong to a call that succeeds. */
export interface Candidate {
  readonly args: string;
  readonly origin: NonNullable<ToolProof['origin']>;
}

/** Arguments from examples and recorded runs, by tool. */
export type Known = ReadonlyMap<string, readonly Candidate[]>;

/** Reads the export `examples`, and the calls of recorded runs. @throws CliError E970, E981, E985 */
export async function readKnown(loaded: Loaded, runs: string | undefined, folder: string): Promise<Known> {
  const known = new Map<string, Candidate[]>();
  const add = (tool: string, candidate: Candidate): void => {
    known.set(tool, [...(known.get(tool) ?? []), candidate]);
  };
  for (const [tool, args] of await readExamples(loaded)) add(tool, { args, origin: 'example' });
  if (runs === undefined) return known;
  for await (const run of readRuns(listBundleFiles(runs, folder), folder)) {
    if (!('bundle' in run)) throw new CliError(run.message, { code: 'E970', place: run.file });
    for (const entry of run.bundle.entries) {
      if (entry.kind !== 'call' || entry.leftOut !== undefined) continue;
      const args = typeof entry.arguments === 'string' ? entry.arguments : JSON.stringify(entry.arguments);
      if (!args.includes(HIDDEN)) add(entry.name, { args, origin: 'run' });
    }
  }
  return known;
}

async function readExamples(loaded: Loaded): Promise<readonly (readonly [string, string])[]> {
  const { place } = loaded;
  let examples: unknown;
  try {
    examples = (await loaded.read('examples')) ?? {};
  } catch (cause) {
    throw new CliError(`its export examples threw: ${messageOf(cause)}`, { code: 'E985', place, cause });
  }
  if (!isRecord(examples)) throw createExamplesError(place, 'it is not a record');
  return Object.entries(examples).flatMap(([tool, list]) => {
    if (!Array.isArray(list) || !list.every(isRecord))
      throw createExamplesError(place, `${tool} is not a list of arguments`);
    return list.map((args) => [tool, JSON.stringify(args)] as const);
  });
}

function createExamplesError(place: string, problem: string): CliError {
  const remedy = "Export a list for each tool: export const examples = { get_order: [{ orderId: 'W1' }] }.";
  return new CliError(`its export examples cannot be used: ${problem}`, { code: 'E985', place, remedy });
}

/** Lists the arguments to try for a tool, the most promising first. */
export function listCandidates(
  library: typeof fastCheck,
  { name, metadata }: RenderedTool,
  known: Known,
  seed: number,
): readonly Candidate[] {
  const serialiser = createSerialiser(metadata.fieldNames);
  const declared = metadata.examples.map(({ input }): Candidate => {
    return { args: JSON.stringify(input === null ? {} : serialiser.toPlain(input)), origin: 'example' };
  });
  const created = createValid(library, metadata.schema, MAX_TRIED_ARGUMENTS, seed);
  return [...(known.get(name) ?? []), ...declared, ...created.map((args): Candidate => ({ args, origin: 'schema' }))];
}
