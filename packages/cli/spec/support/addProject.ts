import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliProject } from './CliProject';
import { runHere } from './inProcess';

type Files = Readonly<Record<string, string | undefined>>;

/** What `toolwright add --json` writes. */
export interface Plan {
  readonly kind: string;
  readonly format: string;
  readonly runner: string;
  readonly manager: string;
  readonly applied: boolean;
  readonly changes: readonly { readonly file: string; readonly diff: string }[];
  readonly findings: readonly {
    readonly code: string;
    readonly place: string;
    readonly message: string;
    readonly remedy: string;
  }[];
  readonly notes: readonly string[];
  readonly steps: readonly string[];
}

/** Lets a test use a project, and removes it afterwards. @param files undefined for one that is left out */
export async function withProject<T>(
  files: Files,
  use: (project: CliProject) => Promise<T>,
  packages: readonly string[] = ['typescript'],
): Promise<T> {
  const there = Object.entries(files).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const project = new CliProject(Object.fromEntries(there), packages);
  try {
    return await use(project);
  } finally {
    project.close();
  }
}

/** Plans for the files of an application. */
export function planFor(files: Files, packages?: readonly string[]): Promise<Plan> {
  return withProject(
    files,
    async (project) => JSON.parse((await runHere(project.folder, ['add', '--json'])).out) as Plan,
    packages,
  );
}

/** What a file is after `toolwright add --yes`. */
export function textAfter(files: Files, path: string): Promise<string> {
  return withProject(files, async (project) => {
    await runHere(project.folder, ['add', '--yes']);
    return readFileSync(join(project.folder, path), 'utf8');
  });
}

/** Every file of a project with its text, without installed packages, which are links to those of the repository. */
export function textsIn({ folder }: CliProject): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {};
  const read = (place: string): void => {
    for (const entry of readdirSync(place, { withFileTypes: true })) {
      const path = join(place, entry.name);
      if (entry.isFile()) texts[path] = readFileSync(path, 'utf8');
      else if (entry.isDirectory() && !/^(?:node_modules|\.git)$/.test(entry.name)) read(path);
    }
  };
  read(folder);
  return texts;
}
