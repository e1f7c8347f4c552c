// Loads the compiler and checks the program of firstProgram.ts by the compiler's own API alone: the least that a first check costs. Writes
// the CPU time and the growth of memory.
import { createRequire } from 'node:module';
import { cpuUsage, exit, memoryUsage } from 'node:process';
import type ts from 'typescript';

const TOOLS = 'declare function tool(): Promise<number>;\n';
const PROGRAM = 'async function program() {\nconst one: number = await tool(); return one;\n}\n';

const before = memoryUsage.rss();
const start = cpuUsage();
// An import would also scan the compiler for the names of its exports.
const compiler = createRequire(__filename)('typescript') as typeof ts;
const options: ts.CompilerOptions = {
  target: compiler.ScriptTarget.ESNext,
  module: compiler.ModuleKind.ESNext,
  lib: ['lib.esnext.d.ts'],
  types: [],
  strict: true,
  skipLibCheck: true,
};
const host = compiler.createCompilerHost(options);
const { ParseNone } = compiler.JSDocParsingMode;
const readLibrary = (file: string, target: ts.ScriptTarget): ts.SourceFile =>
  compiler.createSourceFile(file, host.readFile(file) ?? '', { languageVersion: target, jsDocParsingMode: ParseNone });
const given = compiler.createSourceFile('/program.ts', TOOLS + PROGRAM, compiler.ScriptTarget.ESNext);
const program = compiler.createProgram({
  rootNames: ['/program.ts'],
  options,
  host: {
    ...host,
    getSourceFile: (file) => (file === given.fileName ? given : readLibrary(file, given.languageVersion)),
  },
});
const problems = [...program.getSyntacticDiagnostics(given), ...program.getSemanticDiagnostics(given)].length;
const { user, system } = cpuUsage(start);
const megabytes = (memoryUsage.rss() - before) / 1e6;
console.log(JSON.stringify({ problems, milliseconds: (user + system) / 1e3, megabytes }));
exit();
