import type { Compiler, Settings } from './Compiler.js';
import { run, type Sources, type Workspace } from './Workspace.js';

/** What became of one section: the error with which the application did not start, or `started`. */
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

// Each section is an application of its own, so that one fault does not hide another.
const main = `
import { createApplication, definePrompt } from 'toolwright';
import { sections } from './sections.js';
async function verdict(load) {
  try {
    const prompt = definePrompt({ ns: 'n', key: 'k', sections: [await load()] });
    await createApplication({ prompts: [prompt] });
    return { name: 'started', message: '', findings: [] };
  } catch ({ name, code, message, findings = [] }) {
    return { name, code, message, findings };
  }
}
async function verdicts() {
  const all = [];
  for (const load of sections) all.push(await verdict(load));
  process.stdout.write(JSON.stringify(all));
}
verdicts();
`;

/**
 * Compiles a project and starts an application with each of its sections.
 *
 * @param files with `src/sections.ts`, whose `sections` are functions that give, or load, a section
 * @returns in that order; a single verdict named `process` when not even the files could be loaded
 */
export async function verdictsOf(
  workspace: Workspace,
  compiler: Compiler,
  settings: Settings,
  files: Sources,
): Promise<readonly Verdict[]> {
  const folder = workspace.project(settings.format, { ...files, 'src/main.ts': main });
  await compiler.compile({ folder, settings });
  const { code, stdout, stderr } = await run(folder);
  return code === 0
    ? (JSON.parse(stdout) as readonly Verdict[])
    : [{ name: 'process', code: String(code), message: stderr, findings: [] }];
}
