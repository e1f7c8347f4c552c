import { join } from 'node:path';
import ts from 'typescript';
import { projectOptions, sourcesOf, type Compiler, type Project } from './Compiler.js';

/** The equivalent of `tsc -p`. Types are checked elsewhere: `npm run typecheck`. */
export const tsc: Compiler = {
  name: 'tsc',
  async compile(...projects) {
    for (const project of projects) typescriptProgram(project, { noCheck: true }).program.emit();
  },
};

const libraries = new Map<string, ts.SourceFile | undefined>();

/** A program of TypeScript over a project, and what the compiler complains of in it. */
export function typescriptProgram({ folder, settings }: Project, more: ts.CompilerOptions) {
  const { options, errors } = ts.convertCompilerOptionsFromJson(projectOptions(settings), folder);
  if (errors.length > 0) throw new Error(ts.formatDiagnostics(errors, ts.createCompilerHost(options)));
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  // What is not the project's own is read once for all projects.
  host.getSourceFile = (file, ...rest) => {
    if (file.startsWith(folder)) return read(file, ...rest);
    if (!libraries.has(file)) libraries.set(file, read(file, ...rest));
    return libraries.get(file);
  };
  const files = sourcesOf(folder).map((file) => join(folder, 'src', file));
  const program = ts.createProgram(files, { ...options, ...more }, host);
  const complaints = (): readonly string[] =>
    ts
      .getPreEmitDiagnostics(program)
      .map(({ code, file }) => `TS${String(code)} ${file?.fileName.split('/').at(-1) ?? ''}`);
  return { program, complaints };
}
