import { pathToFileURL } from 'node:url';
import type { Compiler, Settings } from './Compiler.js';
import { once } from './once.js';
import { node, type Sources, type Workspace } from './Workspace.js';

/** The result for one section: the error with which the application did not start, or `started`. */
export interface Verdict {
  readonly name: string;
  readonly code?: string;
  readonly message: string;
  readonly findings: readonly Found[];
}

interface Found {
  readonly code: string;
  readonly place: string;
  readonly className?: string;
  readonly member?: string;
  readonly problem: string;
  readonly remedy: string;
}

/** A project of which `src/sections.ts` exports `sections`: functions that give, or load, a section. */
export interface Case {
  readonly compiler: Compiler;
  readonly settings: Settings;
  readonly files: Sources;
}

export const started: Verdict = { name: 'started', message: '', findings: [] };

// Each section is an application of its own, so that one fault does not hide another.
const main = `
import { createApplication, definePrompt } from 'toolwright';
import { sections } from './sections.js';
export async function verdicts() {
  const all = [];
  for (const load of sections) {
    try {
      const prompt = definePrompt({ ns: 'n', key: 'k', sections: [await load()] });
      await createApplication({ prompts: [prompt] });
      all.push(${JSON.stringify(started)});
    } catch ({ name, code, message, findings = [] }) {
      all.push({ name, code, message, findings });
    }
  }
  return all;
}
`;

const program = `
const all = [];
for (const url of process.argv.slice(1)) {
  try {
    const { verdicts } = await import(url);
    all.push(await verdicts());
  } catch ({ name, message }) {
    all.push([{ name, message, findings: [] }]);
  }
}
process.stdout.write(JSON.stringify(all));
`;

/** Cases that one process tries, each compiler having been started once for all of its projects. */
export class Cases {
  readonly #workspace: Workspace;
  readonly #cases: Case[] = [];
  readonly #verdicts = once(() => verdictsOf(this.#workspace, this.#cases));

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /**
   * Adds a case; to be called before the first test runs.
   *
   * @returns a function that returns the verdicts on its sections; one alone, without a code, when its files could not be loaded
   */
  add(added: Case): () => Promise<readonly Verdict[]> {
    const index = this.#cases.push(added) - 1;
    return async () => (await this.#verdicts())[index] ?? [];
  }
}

/** Compiles projects, and has one process start an application with each section of each of them. */
async function verdictsOf(workspace: Workspace, cases: readonly Case[]): Promise<readonly (readonly Verdict[])[]> {
  const projects = cases.map(({ compiler, settings, files }) => ({
    compiler,
    settings,
    folder: workspace.project(settings.format, { ...files, 'src/main.ts': main }),
  }));
  for (const compiler of new Set(cases.map((each) => each.compiler)))
    await compiler.compile(...projects.filter((project) => project.compiler === compiler));
  const urls = projects.map(({ folder }) => pathToFileURL(`${folder}/out/main.js`).href);
  const { stdout, stderr } = await node(workspace.folder, ['--input-type=module', '--eval', program, ...urls]);
  expect(stderr).toBe('');
  return JSON.parse(stdout) as readonly (readonly Verdict[])[];
}
