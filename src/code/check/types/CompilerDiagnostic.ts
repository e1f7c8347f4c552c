import type ts from 'typescript';

/** A diagnostic of the compiler about a program. */
export interface CompilerDiagnostic {
  readonly code: number;
  readonly start: number;
  readonly node: ts.Node;
  /** The sentence itself. */
  readonly head: string;
  /** The sentences that explain it, the innermost last; the sentence itself where none does. */
  readonly reasons: readonly string[];
}

/** @param flat every sentence of a chain, the outermost first */
export function sentencesOf(text: string | ts.DiagnosticMessageChain): readonly string[] {
  if (typeof text === 'string') return [text];
  return [text.messageText, ...(text.next ?? []).flatMap(sentencesOf)];
}
