import { getApplicationParts } from 'toolwright/internal';
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Finding } from 'toolwright';
import { type ToolFinding, toolFindings } from 'toolwright/own-loop';
import type { AgainstOptions } from '../against/checkAgainst.js';
import { lintSources } from '../check/lintSources.js';
import { type Problem, reports, writeSarifFile } from '../check/reports.js';
import { findSourceFiles } from '../check/findSourceFiles.js';
import { SourcePlaces } from '../check/sourcePlaces.js';
import { CliError, createWriteError } from '../CliError.js';
import type { CommandContext } from '../Context.js';
import { compareContracts } from '../contract/compareContracts.js';
import { parseContract, buildContract, type Contract } from '../contract/Contract.js';
import { readFindings } from '../errors.js';
import { parseJson, readInputFile } from '../input.js';
import type { Loaded } from '../load/loadApplication.js';
import { selectPrompt, withApplication } from '../load/withApplication.js';
import { green, line, red } from '../terminal/TerminalText.js';

export interface CheckOptions extends AgainstOptions {
  readonly contract?: string;
  readonly writeContract?: string;
  /** A bundle or a folder of bundles to replay in place of the other checks. */
  readonly against?: string;
}

const NO_APPROVER: ToolFinding = {
  rule: 'approval-without-approver',
  problem:
    'its calls need an approval, and the application has no approver: each one is denied, unless its caller brings one',
  remedy:
    "Pass an approver to createApplication; one that answers { kind: 'later' } parks the run until a person replies.",
};

export async function check(context: CommandContext, options: CheckOptions): Promise<void> {
  const { terminal, fail } = context;
  if (options.against !== undefined)
    return (await import('../against/checkAgainst.js')).checkAgainst(context, options.against, options);
  const [alone] = (['only', 'concurrency', 'timeout'] as const).filter((name) => options[name] !== undefined);
  if (alone !== undefined)
    throw new CliError('it needs --against', { code: 'E973', place: `--${alone}`, remedy: 'Add --against runs.' });
  const problems = await findProblems(context, options);
  const errors = problems.filter(({ level }) => level === 'error').length;
  const notes = problems.length - errors;
  if (options.sarif !== undefined) writeSarifFile(context, options.sarif, problems);
  reports[options.json === true ? 'json' : options.format](terminal, problems);
  if (errors > 0) fail();
  terminal.note(errors === 0 ? green(`✔ ${formatPassed(notes)}`) : red(`✘ ${formatCount(errors)}`));
}

async function findProblems(context: CommandContext, options: CheckOptions): Promise<readonly Problem[]> {
  const { folder } = context;
  const files = findSourceFiles(findSourceFolder(options.app, folder));
  const before = options.contract === undefined ? undefined : readContract(options.contract, folder);
  let findings: readonly Finding[] = [];
  let contract: Contract | undefined;
  let stands: readonly Problem[] = [];
  try {
    [contract, stands] = await withApplication(context, options, (loaded) =>
      Promise.resolve([buildContract(loaded.app), findToolProblems(loaded, options.prompt)] as const),
    );
  } catch (error) {
    const found = readFindings(error);
    if (found === undefined) throw error;
    findings = found;
  }
  const places = new SourcePlaces(folder, files);
  const declared = findings.map((each): Problem => {
    const { code, problem, remedy, place, className, member } = each;
    const name = className === undefined ? place : member === undefined ? className : `${className}.${member}`;
    return { rule: code, level: 'error', message: problem, remedy, place, ...places.of(name) };
  });
  if (contract !== undefined && options.writeContract !== undefined)
    writeContract(context, options.writeContract, contract);
  const changes = before === undefined || contract === undefined ? [] : findContractProblems(before, contract);
  const notes = stands.map((note) => ({ ...note, ...places.of(note.place) }));
  return [...declared, ...(await lintFiles(context, files)), ...changes, ...notes];
}

/** The findings about all tools, or about the tools of one prompt, as the inspector shows them. @throws CliError E965 */
function findToolProblems(loaded: Loaded, name: string | undefined): readonly Problem[] {
  const prompts =
    name === undefined ? [...getApplicationParts(loaded.app).prompts.values()] : [selectPrompt(loaded, name)];
  const tools = prompts.flatMap(({ metadata }) => metadata.allSections.flatMap((section) => section.tools));
  const { approver } = getApplicationParts(loaded.app).services;
  return [...new Set(tools)].flatMap((tool) => {
    const found = toolFindings(tool);
    const all = approver === undefined && tool.guardrails.approvals.length > 0 ? [...found, NO_APPROVER] : found;
    return all.map(({ rule, problem: message, remedy }): Problem => {
      return { rule, level: 'note', message, remedy, place: tool.place };
    });
  });
}

function findSourceFolder(app: string | undefined, folder: string): string {
  const path = app === undefined ? folder : dirname(resolve(folder, app.split('#')[0] ?? ''));
  return existsSync(path) ? path : folder;
}

async function lintFiles({ folder, terminal }: CommandContext, files: readonly string[]): Promise<readonly Problem[]> {
  if (files.length === 0) return [];
  const found = await lintSources(folder, files);
  if (found !== undefined) return found;
  terminal.note(
    'The sources were not read: neither ESLint with typescript-eslint nor oxlint is installed here. Properties without a decorator are found by either: npm install --save-dev oxlint',
  );
  return [];
}

/** @throws CliError E967, E970 */
function readContract(path: string, folder: string): Contract {
  return parseContract(parseJson(readInputFile(path, folder), path), path);
}

function writeContract({ folder, terminal }: CommandContext, path: string, contract: Contract): void {
  try {
    writeFileSync(resolve(folder, path), `${JSON.stringify(contract, null, 2)}\n`);
  } catch (cause) {
    throw createWriteError(path, cause);
  }
  terminal.note(line`The contract is in ${path}.`);
}

function findContractProblems(before: Contract, after: Contract): readonly Problem[] {
  return compareContracts(before, after).map(({ prompt, tool, path, breaking, what }) => ({
    rule: breaking ? 'breaking-change' : 'change',
    level: breaking ? 'error' : 'note',
    message: what,
    place: `${tool ?? prompt}${path}`,
    ...(breaking
      ? { remedy: 'Keep what callers rely on, or accept the change: toolwright check --write-contract FILE.' }
      : {}),
  }));
}

function formatPassed(notes: number): string {
  if (notes === 0) return 'no findings';
  return notes === 1 ? 'no errors, 1 note' : `no errors, ${String(notes)} notes`;
}

function formatCount(errors: number): string {
  return errors === 1 ? '1 finding' : `${String(errors)} findings`;
}
