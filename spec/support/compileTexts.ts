import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const root = join(__dirname, '../..');

/**
 * Compiles texts that are no files, with the settings of the repository.
 *
 * @param texts by the absolute path that they would have
 * @returns a function that lists the faults of one of them
 */
export function compileTexts(
  texts: ReadonlyMap<string, string>,
  changes: Readonly<Record<string, unknown>> = {},
): (path: string) => readonly { readonly problem: string; readonly line: number }[] {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => readFileSync(path, 'utf8')) as {
    readonly config: { readonly compilerOptions: object };
  };
  const { options } = ts.convertCompilerOptionsFromJson({ ...config.compilerOptions, ...changes }, root);
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (path, target, ...rest) => {
    const text = texts.get(path);
    return text === undefined ? read(path, target, ...rest) : ts.createSourceFile(path, text, target);
  };
  const program = ts.createProgram([...texts.keys()], options, host);
  return (path) => {
    const source = program.getSourceFile(path);
    if (source === undefined) throw new Error(`${path} is not one of the texts.`);
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return found.map(({ messageText, start = 0 }) => ({
      problem: ts.flattenDiagnosticMessageText(messageText, '\n'),
      line: ts.getLineAndCharacterOfPosition(source, start).line,
    }));
  };
}
