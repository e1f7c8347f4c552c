import type * as fastCheck from 'fast-check';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getApplicationParts, getEffect, SecretCollector, type RenderedTool } from 'toolwright/internal';
import { didYouMean } from 'toolwright/internal/light';
import type { Approver } from 'toolwright/policies';
import { CliError } from '../CliError.js';
import { HOSTILE_ARGUMENTS } from '../limits.js';
import { nameOf } from '../load/withApplication.js';
import { Bench, type BenchSettings, type World } from './Bench.js';
import { createHostile } from './createArguments.js';
import { faults, type Subject } from './faults.js';
import { compareWorlds, listTrace, type Judged } from './judge.js';
import { killTool, type PartOrder } from './killTool.js';
import { listCandidates, readKnown, type Candidate, type Known } from './listCandidates.js';
import { FAULT_TITLES, type Fault, type FaultResult, type ProofSheet, type ToolProof } from './ProofSheet.js';

export interface ProveSettings extends BenchSettings {
  readonly folder: string;
  /** The names of the tools; all if undefined. */
  readonly tools: readonly string[] | undefined;
  readonly faults: readonly Fault[];
  readonly runs: string | undefined;
  readonly seed: number;
  /** True to run tools that may act outside. */
  readonly act: boolean;
  readonly part: Omit<PartOrder, 'killAt' | 'folder' | 'tool' | 'args'>;
  readonly onProgress: (text: string) => void;
}

/** Puts each tool under each fault, in an application of its own. @throws CliError E965, E983, E985, and the errors of the module */
export async function proveTools(library: typeof fastCheck, settings: ProveSettings): Promise<ProofSheet> {
  const { tools: names, seed } = settings;
  const root = mkdtempSync(join(tmpdir(), 'toolwright-prove-'));
  const work = new Work(library, settings, root);
  try {
    const first = await work.open();
    const tools = await first.listTools();
    requireNames(names ?? [], tools);
    const start = await first.look();
    const known = await readKnown(first.loaded, settings.runs, settings.folder);
    const isExample = ({ origin }: Candidate): boolean => origin === 'example';
    requireNames(
      [...known].flatMap(([name, each]) => (each.some(isExample) ? [name] : [])),
      tools,
      'examples',
    );
    const selected = names === undefined ? tools : tools.filter(({ name }) => names.includes(name));
    const proofs: ToolProof[] = [];
    for (const tool of selected) proofs.push(await work.proveTool(tool, known));
    const notes = [...(await work.findShared(start)), ...findFailedKills(proofs)];
    return work.hideSecrets({ prompt: nameOf(first.prompt), seed, faults: settings.faults, tools: proofs, notes });
  } finally {
    await work.close();
    rmSync(root, { recursive: true, force: true });
  }
}

/** @throws CliError E983 */
function requireNames(names: readonly string[], tools: readonly RenderedTool[], place = '--tools'): void {
  const known = tools.map(({ name }) => name);
  const wrong = names.find((name) => !known.includes(name));
  if (wrong === undefined) return;
  const near = didYouMean(wrong, known);
  const problem = `there is no tool "${wrong}".${near === '' ? ` There are: ${known.join(', ')}.` : near}`;
  throw new CliError(problem, { code: 'E983', place });
}

/** Returns the reasons why processes could not be killed: an application or a package that is missing, not a property of a tool. */
function findFailedKills(proofs: readonly ToolProof[]): readonly string[] {
  const results = proofs.flatMap(({ results: each }) => each).filter(({ fault }) => fault === 'kill');
  return [...new Set(results.flatMap(({ note, isUnable = false }) => (isUnable ? [note] : [])))];
}

class Work {
  readonly #library: typeof fastCheck;
  readonly #settings: ProveSettings;
  readonly #root: string;
  #opened = 0;
  #first: Bench | undefined;
  #secrets: SecretCollector | undefined;

  constructor(library: typeof fastCheck, settings: ProveSettings, root: string) {
    this.#library = library;
    this.#settings = settings;
    this.#root = root;
  }

  async open(approver?: Approver): Promise<Bench> {
    const folder = join(this.#root, String(this.#opened++));
    mkdirSync(folder);
    const bench = await Bench.open(this.#settings, folder, approver);
    this.#first ??= bench;
    this.#secrets ??= new SecretCollector(getApplicationParts(bench.loaded.app).services.redaction);
    return bench;
  }

  /** Hides the secret arguments of the calls so far, because the sheet is for a repository. */
  hideSecrets(sheet: ProofSheet): ProofSheet {
    return this.#secrets?.hideSecrets(sheet) ?? sheet;
  }

  /** Closes the first application, which may be the only one. */
  async close(): Promise<void> {
    await this.#first?.close(false);
  }

  #closeLater(bench: Bench): Promise<void> {
    return bench.close(bench.loaded.app === this.#first?.loaded.app);
  }

  /** Returns a note if a new application begins with what the calls of others left: it may hide faults. */
  async findShared(start: World): Promise<readonly string[]> {
    const bench = await this.open();
    const trace = listTrace(compareWorlds(start, await bench.look()));
    await this.#closeLater(bench);
    if (trace.length === 0) return [];
    const cause = 'A new application begins with what the calls before left, which may hide faults.';
    return [`${cause} Export a function that creates everything anew. Found: ${trace.join('; ')}`];
  }

  async proveTool(tool: RenderedTool, known: Known): Promise<ToolProof> {
    const { act, seed } = this.#settings;
    const { name, hints } = tool;
    if (!act && (hints.openWorld === true || getEffect(hints) !== 'none')) {
      const skipped = 'It may act outside. Run it with --act, on an application of test doubles.';
      return { tool: name, hints, skipped, results: [] };
    }
    const found = await this.#findArguments(listCandidates(this.#library, tool, known, seed), name);
    if (found === undefined) {
      const skipped =
        'No call of it succeeded. Export examples with arguments of a successful call, or pass --runs. ' +
        'If it needs a state, let the export session begin with it.';
      return { tool: name, hints, skipped, results: [] };
    }
    const results: FaultResult[] = [];
    for (const fault of this.#settings.faults) {
      this.#settings.onProgress(`${name}: ${FAULT_TITLES[fault]}`);
      results.push({ fault, ...(await this.#apply(fault, tool, found)) });
    }
    return { tool: name, hints, arguments: found.args, origin: found.origin, results };
  }

  async #findArguments(candidates: readonly Candidate[], name: string): Promise<Candidate | undefined> {
    for (const candidate of candidates) {
      const bench = await this.open();
      // Values of hostile arguments are not collected: they are no secrets, and may be common words.
      if (this.#secrets !== undefined) bench.observe(this.#secrets);
      try {
        const { outcome } = await bench.call(name, candidate.args);
        if (outcome?.kind === 'succeeded') return candidate;
      } finally {
        await this.#closeLater(bench);
      }
    }
    return undefined;
  }

  async #apply(fault: Fault, tool: RenderedTool, { args }: Candidate): Promise<Judged> {
    const { timeoutMs, part, signal, seed } = this.#settings;
    const count = HOSTILE_ARGUMENTS;
    const hostile = () => createHostile(this.#library, tool.schema, { base: args, count, seed });
    const benches: Bench[] = [];
    const subject: Subject = {
      tool,
      args,
      hostile: fault === 'hostile' ? hostile() : [],
      timeoutMs,
      open: async (approver) => {
        const bench = await this.open(approver);
        benches.push(bench);
        return bench;
      },
    };
    try {
      return fault === 'kill' ? await killTool(subject, part, signal) : await faults[fault](subject);
    } finally {
      for (const bench of benches) await this.#closeLater(bench);
    }
  }
}
