// The parts of the syntax trees of ESLint and typescript-eslint that the rules read. Declared here, so that neither has
// to be installed to compile.

export interface RuleModule {
  readonly meta: {
    readonly type: 'problem';
    readonly docs: { readonly description: string };
    readonly messages: Record<string, string>;
    readonly schema: [];
  };
  readonly create: (context: {
    readonly report: (found: { node: never; messageId: string; data: Record<string, string> }) => void;
  }) => {
    readonly Program: (node: { readonly body: readonly StatementNode[] }) => void;
    readonly ImportDeclaration: (node: ImportNode) => void;
    readonly ClassBody: (node: { readonly body: readonly ClassMember[] }) => void;
  };
}

/** `import { Param } from 'toolwright'`. */
interface ImportNode {
  readonly source: { readonly value: unknown };
  readonly specifiers: readonly {
    readonly type: string;
    readonly imported?: { readonly name?: string };
    readonly local: { readonly name: string };
  }[];
}

/** `enum Unit { … }`, also behind `export`. */
interface StatementNode {
  readonly type: string;
  readonly id?: { readonly name?: string } | null;
  readonly declaration?: StatementNode | null;
}

export interface ClassMember {
  readonly type: string;
  readonly static?: boolean;
  readonly declare?: boolean;
  readonly computed?: boolean;
  /** True for a property with `?`. */
  readonly optional?: boolean;
  readonly key?: { readonly type: string; readonly name?: string; readonly value?: unknown };
  readonly value?: ValueNode | null;
  readonly typeAnnotation?: { readonly typeAnnotation?: TypeNode } | null;
  readonly decorators?: readonly { readonly expression: DecoratorExpression }[];
}

/** The initial value of a property, or the function of a method. */
interface ValueNode {
  readonly type: string;
  readonly params?: readonly ParameterNode[];
  /** The `Unit` in `Unit.Kilo`. */
  readonly object?: { readonly name?: string };
}

/** The declared type of a property. */
export interface TypeNode {
  readonly type: string;
  /** The members of a union. */
  readonly types?: readonly TypeNode[];
  readonly typeName?: { readonly name?: string };
  readonly literal?: { readonly value?: unknown };
}

/** A decorator without its `@`. */
export interface DecoratorExpression {
  readonly callee?: { readonly name?: string };
  readonly arguments?: readonly ArgumentNode[];
}

/** An argument of a decorator. */
export interface ArgumentNode {
  readonly type: string;
  /** The properties of an object; a spread has no key. */
  readonly properties?: readonly { readonly key?: { readonly name?: string } }[];
}

interface ParameterNode {
  readonly type: string;
  readonly parameter?: { readonly name?: string; readonly left?: { readonly name?: string } };
}
