import type ts from 'typescript';
import type { Compiler } from './loadCompiler.js';
import { splitSentences, type CompilerDiagnostic, CheckedProgram } from './CheckedProgram.js';
import { isAboutResult, findRefusingRow } from './diagnostics.js';
import { suppressions } from './suppressions.js';
import { discoveryRules } from './discoveryRules.js';
import { ProgramService } from './ProgramService.js';
import { createFault, type ProgramPlace } from '../../createFault.js';
import type { ProgramFault } from '../../ExecutionResult.js';
import { MAX_FAULT_CHARS, MAX_FURTHER_FAULTS } from '../../limits.js';

/** The declarations of tools for the compiler. */
export interface CheckedDeclarations {
  /** Each tool takes one object. */
  readonly text: string;
  /** The same tools, which also take positional arguments. */
  readonly positional: string;
}

const HEAD = 'async function program() {\n';
const TAIL = '\n}\n';
/** Sentences that are less specific than the sentences that explain them. */
const GENERAL = /^(?:Argument of type '\{|No overload matches)/;

interface Finding {
  readonly start: number;
  readonly kind: 'syntax' | 'type' | 'reference';
  readonly name: string;
  readonly message: string;
  readonly hint: string;
}

/** Checks programs against the declarations of tools, and refuses them only for faults that would show at run time. */
export class TypeCheck {
  readonly #compiler: Compiler;
  readonly #service: ProgramService;

  constructor(compiler: Compiler) {
    this.#compiler = compiler;
    this.#service = new ProgramService(compiler);
  }

  /**
   * @param source a program without syntax errors
   * @param isTyped true if it contains types; syntax errors that the compiler reports in JavaScript do not count
   */
  check(source: string, declarations: CheckedDeclarations, isTyped: boolean): ProgramFault | null {
    const { file, checker, syntax, meaning } = this.#service.compile(HEAD + source + TAIL, declarations.text);
    if (syntax.length > 0) return isTyped ? this.#createFault(source, file, syntax.map(toSyntaxFinding)) : null;
    const program = new CheckedProgram(this.#compiler, file, checker);
    const diagnostics = this.#selectDiagnostics(program, meaning);
    const wrong = diagnostics.some(({ node }) => program.toolCallAround(node) !== undefined)
      ? diagnostics.filter(this.#selectStanding(source, declarations, program))
      : diagnostics;
    return this.#createFault(source, file, [
      ...wrong.map((each) => toFinding(each, program)),
      ...findDiscoveries(program),
    ]);
  }

  /** Returns the diagnostics for which the program is refused. */
  #selectDiagnostics(program: CheckedProgram, diagnostics: readonly ts.Diagnostic[]): readonly CompilerDiagnostic[] {
    return diagnostics
      .map(({ code, start = 0, length = 0, messageText }) => {
        const [head = '', ...reasons] = splitSentences(messageText);
        const node = program.nodeAt(start, length);
        return { code, start, node, head, reasons: reasons.length === 0 ? [head] : reasons };
      })
      .filter((diagnostic) => findRefusingRow(diagnostic) !== undefined && isAboutResult(diagnostic, program))
      .filter(
        (diagnostic) =>
          !suppressions.some(
            ({ codes, applies }) => codes?.includes(diagnostic.code) !== false && applies(diagnostic, program),
          ),
      );
  }

  /** Selects diagnostics outside tool calls, and in calls that are faulty even with positional arguments allowed. */
  #selectStanding(
    source: string,
    { positional }: CheckedDeclarations,
    program: CheckedProgram,
  ): (diagnostic: CompilerDiagnostic) => boolean {
    const { file, checker, meaning } = this.#service.compile(HEAD + source + TAIL, positional);
    const others = this.#selectDiagnostics(new CheckedProgram(this.#compiler, file, checker), meaning);
    return ({ node }) => {
      const call = program.toolCallAround(node);
      return call === undefined || others.some(({ start }) => start >= call.getStart() && start < call.getEnd());
    };
  }

  #createFault(source: string, file: ts.SourceFile, findings: readonly Finding[]): ProgramFault | null {
    const sorted = [...findings].sort((a, b) => a.start - b.start);
    const [first] = sorted;
    if (first === undefined) return null;
    const placeOf = ({ start }: Finding): ProgramPlace => {
      const { line, character } = file.getLineAndCharacterOfPosition(start);
      return { line, column: character + 1 };
    };
    const others = sorted
      .filter((each) => placeOf(each).line !== placeOf(first).line)
      .slice(0, MAX_FURTHER_FAULTS)
      .map((each) => `line ${String(placeOf(each).line)}: ${each.message}`);
    const { kind, name, hint } = first;
    const message = [first.message, ...others].join('; ');
    return createFault(source, placeOf(first), { kind, name, message, hint });
  }
}

function toSyntaxFinding({ start = 0, messageText }: ts.Diagnostic): Finding {
  const [message = ''] = splitSentences(messageText);
  return { start, kind: 'syntax', name: 'SyntaxError', message: removeStop(message), hint: 'Correct the line.' };
}

function toFinding(diagnostic: CompilerDiagnostic, program: CheckedProgram): Finding {
  const { code, start, head, reasons } = diagnostic;
  const row = findRefusingRow(diagnostic);
  const kind = row?.codes.includes(2304) === true ? 'reference' : 'type';
  const hint = row?.fix(diagnostic, program) ?? '';
  return {
    start,
    kind,
    name: `TS${String(code)}`,
    message: removeStop(GENERAL.test(head) ? (reasons.at(-1) ?? head) : head).slice(0, MAX_FAULT_CHARS),
    hint,
  };
}

function findDiscoveries(program: CheckedProgram): readonly Finding[] {
  return program.nodes.flatMap((node) =>
    discoveryRules.flatMap(({ find }) => {
      const found = find(node, program);
      if (found === undefined) return [];
      const { kind, name, message, hint } = found;
      return [{ start: found.node.getStart(), kind, name, message, hint }];
    }),
  );
}

/** Removes the full stop at the end, and advice on project settings. */
function removeStop(sentence: string): string {
  return sentence.replace(/\. (?:Do you need|Try) .*$|\.$/s, '');
}
