import type ts from 'typescript';

/** A diagnostic of the compiler about a program. */
export interface CompilerDiagnostic {
  readonly code: number;
  readonly start: number;
  readonly node: ts.Node;
  /** The main sentence. */
  readonly head: string;
  /** The sentences that explain it, the innermost last; the main sentence if there are none. */
  readonly reasons: readonly string[];
}

/** Flattens a message chain to its sentences, the outermost first. */
export function sentencesOf(text: string | ts.DiagnosticMessageChain): readonly string[] {
  if (typeof text === 'string') return [text];
  return [text.messageText, ...(text.next ?? []).flatMap(sentencesOf)];
}
