import type ts from 'typescript';
import type { Compiler } from './loadCompiler.js';
import { TOOLS } from './ProgramService.js';

/** A program with the queries that the checks share. */
export class CheckedProgram {
  readonly compiler: Compiler;
  readonly file: ts.SourceFile;
  readonly checker: ts.TypeChecker;
  /** The function around the program. */
  readonly main: ts.FunctionDeclaration;
  /** Every node, outer ones first. */
  readonly nodes: readonly ts.Node[];
  readonly #assigned = new Map<ts.Symbol, ts.Expression[]>();
  readonly #assignedProperties = new Set<string>();

  constructor(compiler: Compiler, file: ts.SourceFile, checker: ts.TypeChecker) {
    this.compiler = compiler;
    this.file = file;
    this.checker = checker;
    this.main = file.statements[0] as ts.FunctionDeclaration;
    const nodes: ts.Node[] = [];
    const visit = (node: ts.Node): void => {
      nodes.push(node);
      compiler.forEachChild(node, visit);
    };
    visit(this.main);
    this.nodes = nodes;
    for (const node of nodes) if (compiler.isBinaryExpression(node)) this.#note(node);
  }

  /** Returns the innermost node with exactly this extent, else the innermost that contains it. */
  nodeAt(start: number, length: number): ts.Node {
    const end = start + length;
    const around = this.nodes.filter((node) => node.getStart(this.file) <= start && node.getEnd() >= end);
    const exact = around.filter((node) => node.getStart(this.file) === start && node.getEnd() === end);
    return exact.at(-1) ?? around.at(-1) ?? this.main;
  }

  /** Returns the nearest enclosing node, including the node itself, that satisfies a predicate. */
  around<N extends ts.Node>(node: ts.Node, is: (node: ts.Node) => node is N): N | undefined {
    if (is(node)) return node;
    return node === this.file ? undefined : this.around(node.parent, is);
  }

  /** Returns the nearest enclosing function of a node. */
  functionAround(node: ts.Node): ts.Node | undefined {
    return this.around(node.parent, this.compiler.isFunctionLike);
  }

  /** Returns the innermost tool call that contains a node. */
  toolCallAround(node: ts.Node): ts.CallExpression | undefined {
    return this.around(
      node,
      (each): each is ts.CallExpression => this.compiler.isCallExpression(each) && this.isToolCall(each),
    );
  }

  /** Returns the call with too few or too many arguments: the diagnostic is at its name, or at the first excess argument. */
  callAt({ node, start }: { readonly node: ts.Node; readonly start: number }): ts.CallExpression | undefined {
    const { isCallExpression, isPropertyAccessExpression } = this.compiler;
    const calls = [node, node.parent, node.parent.parent].filter(isCallExpression);
    return calls.find(({ expression, arguments: given }) => {
      const name = isPropertyAccessExpression(expression) ? expression.name : expression;
      return [name, expression, ...given].some((part) => part.getStart() === start);
    });
  }

  isToolCall(call: ts.CallExpression): boolean {
    const declaration = this.checker.getResolvedSignature(call)?.declaration;
    return declaration?.getSourceFile().fileName === TOOLS;
  }

  /** Returns the expressions that are assigned to a variable after its declaration. */
  assignedTo(symbol: ts.Symbol | undefined): readonly ts.Expression[] {
    return (symbol === undefined ? undefined : this.#assigned.get(symbol)) ?? [];
  }

  /** Returns true if the program assigns to a property of that name anywhere. */
  assignsProperty(name: string): boolean {
    return this.#assignedProperties.has(name);
  }

  /** Returns the variable at the root of `a.b[c].d`. */
  rootOf(node: ts.Node): ts.Identifier | undefined {
    const { isPropertyAccessExpression, isElementAccessExpression, isIdentifier, isNonNullExpression } = this.compiler;
    let next = node;
    while (isPropertyAccessExpression(next) || isElementAccessExpression(next) || isNonNullExpression(next))
      next = next.expression;
    return isIdentifier(next) ? next : undefined;
  }

  symbolOf(node: ts.Node): ts.Symbol | undefined {
    const { isShorthandPropertyAssignment } = this.compiler;
    return isShorthandPropertyAssignment(node.parent)
      ? this.checker.getShorthandAssignmentValueSymbol(node.parent)
      : this.checker.getSymbolAtLocation(node);
  }

  /** Returns the declaration of the variable at the root of an expression, if the program declares it. */
  variableOf(node: ts.Node): ts.VariableDeclaration | undefined {
    const root = this.rootOf(node);
    const declaration = root === undefined ? undefined : this.symbolOf(root)?.valueDeclaration;
    return declaration !== undefined && this.isOwn(declaration) && this.compiler.isVariableDeclaration(declaration)
      ? declaration
      : undefined;
  }

  /** Returns true if the node is part of the program, not of the declarations of tools or the language. */
  isOwn(node: ts.Node): boolean {
    return node.getSourceFile() === this.file;
  }

  isOwnType(type: ts.Type): boolean {
    const declarations = (type.getSymbol() ?? type.aliasSymbol)?.declarations ?? [];
    return declarations.some((each) => this.isOwn(each));
  }

  isPromise(type: ts.Type): boolean {
    return type.getSymbol()?.name === 'Promise' && !this.isOwnType(type);
  }

  #note({ left, operatorToken, right }: ts.BinaryExpression): void {
    const { SyntaxKind, isIdentifier, isPropertyAccessExpression } = this.compiler;
    const { FirstAssignment, LastAssignment } = SyntaxKind;
    if (operatorToken.kind < FirstAssignment || operatorToken.kind > LastAssignment) return;
    if (isPropertyAccessExpression(left)) this.#assignedProperties.add(left.name.text);
    const symbol = isIdentifier(left) ? this.checker.getSymbolAtLocation(left) : undefined;
    if (symbol === undefined) return;
    this.#assigned.set(symbol, [...(this.#assigned.get(symbol) ?? []), right]);
  }
}

/** A diagnostic of the compiler about a program. */
export interface CompilerDiagnostic {
  readonly code: number;
  readonly start: number;
  readonly node: ts.Node;
  /** The main sentence. */
  readonly head: string;
  /** The sentences that explain it, the innermost last; the main sentence if none does. */
  readonly reasons: readonly string[];
}

/** Flattens a message chain to its sentences, the outermost first. */
export function splitSentences(text: string | ts.DiagnosticMessageChain): readonly string[] {
  if (typeof text === 'string') return [text];
  return [text.messageText, ...(text.next ?? []).flatMap(splitSentences)];
}
