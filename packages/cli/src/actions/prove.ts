import type * as fastCheck from 'fast-check';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CliError, createWriteError } from '../CliError.js';
import type { AppOptions, CommandContext } from '../Context.js';
import { DEFAULT_PROVE_SECONDS } from '../limits.js';
import { loadFactory } from '../load/loadApplication.js';
import { loadPackage } from '../load/loadPackage.js';
import { readMetadata } from '../load/withApplication.js';
import { FAULTS } from '../options.js';
import { FAULT_TITLES, listFindings, type ProofSheet } from '../prove/ProofSheet.js';
import { proveTools } from '../prove/proveTools.js';
import { describeHints, describeMark, summarizeSheet, writeMarkdown, writePage } from '../prove/writeSheet.js';
import { formatTable } from '../terminal/formatTable.js';
import { block, bold, dim, green, joinLines, line, red } from '../terminal/TerminalText.js';
import type { Terminal } from '../terminal/Terminal.js';

const FAST_CHECK = { name: 'fast-check', place: 'prove', install: 'npm install --save-dev' };

export interface ProveOptions extends AppOptions {
  readonly tools?: readonly string[];
  readonly faults?: readonly (typeof FAULTS)[number][];
  readonly runs?: string;
  readonly act?: boolean;
  readonly seed?: number;
  /** The longest call, in seconds. */
  readonly timeout?: number;
  readonly markdown?: string;
  readonly html?: string;
}

/** `toolwright prove` */
export async function prove(context: CommandContext, options: ProveOptions): Promise<void> {
  const { terminal, folder, fail, signal } = context;
  const { app, prompt, metadata = [], act = false, seed = 1, timeout = DEFAULT_PROVE_SECONDS } = options;
  const library = await loadPackage<typeof fastCheck>(folder, FAST_CHECK);
  const timeoutMs = timeout * 1_000;
  const sheet = await proveTools(library, {
    open: await loadFactory(app, folder),
    prompt,
    runMetadata: readMetadata(metadata),
    timeoutMs,
    signal,
    folder,
    tools: options.tools,
    faults: options.faults ?? FAULTS,
    runs: options.runs,
    seed,
    act,
    part: { app, prompt, metadata, timeoutMs },
    onProgress: createProgress(terminal),
  });
  if (terminal.progressStream.isTTY === true) terminal.progressStream.write(`\r${' '.repeat(60)}\r`);
  if (options.markdown !== undefined) writeFile(options.markdown, folder, writeMarkdown(sheet));
  if (options.html !== undefined) writeFile(options.html, folder, writePage(sheet));
  const findings = listFindings(sheet);
  if (options.json === true) terminal.json({ ...sheet, findings });
  else await showSheet(terminal, sheet);
  if (findings.length > 0) fail();
  // A sheet that proves nothing must not pass.
  if (sheet.tools.every(({ skipped }) => skipped !== undefined)) {
    const [first] = sheet.tools;
    const problem = `no tool could be proved. ${first === undefined ? 'There is none.' : `${first.tool}: ${first.skipped ?? ''}`}`;
    throw new CliError(problem, { code: 'E984', place: sheet.prompt });
  }
}

async function showSheet(terminal: Terminal, sheet: ProofSheet): Promise<void> {
  const { faults, tools } = sheet;
  const proved = tools.filter(({ skipped }) => skipped === undefined);
  const head = ['tool', 'claims', ...faults.map((fault) => FAULT_TITLES[fault])];
  const rows = proved.map((proof) => [proof.tool, describeHints(proof), ...proof.results.map(describeMark)]);
  if (rows.length > 0) terminal.data(await formatTable(terminal, head, rows));
  for (const { tool, skipped } of tools)
    if (skipped !== undefined) terminal.note(line`${dim(tool)}: not proved. ${skipped}`);
  for (const note of sheet.notes) terminal.note(line`${red('note:')} ${note}`);
  const findings = listFindings(sheet);
  for (const { tool, fault, broken = '', note, trace } of findings) {
    const title = line`${red('✘')} ${bold(tool)}, ${FAULT_TITLES[fault]}: it claims ${broken}. ${note}`;
    terminal.note(joinLines([title, ...trace.map((each) => line`    ${each}`)]));
  }
  const summary = summarizeSheet(sheet);
  terminal.note(findings.length === 0 ? green(`✔ ${summary}`) : red(`✘ ${summary}`));
}

/** Shows the present fault at a terminal, on one line. */
function createProgress(terminal: Terminal): (text: string) => void {
  const { progressStream } = terminal;
  if (progressStream.isTTY !== true) return () => undefined;
  return (text) => {
    progressStream.write(`\r${terminal.forNotes(block(text)).padEnd(60).slice(0, 60)}`);
  };
}

/** @throws CliError E970 */
function writeFile(path: string, folder: string, text: string): void {
  try {
    writeFileSync(resolve(folder, path), text);
  } catch (cause) {
    throw createWriteError(path, cause);
  }
}
