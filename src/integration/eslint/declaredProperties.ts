import type { ClassMember, ClassNode, ImportNode, RuleModule } from './syntax.js';

/** The decorators that declare a property. */
const DECORATORS: ReadonlySet<string> = new Set(['Param', 'Field']);

/**
 * The rule `declared-properties`: in a class with `@Param` or `@Field`, every property carries a decorator. One without would be in
 * no schema (E221), and without an initial value most compilers leave nothing of it that could be seen at run time.
 */
export const declaredProperties: RuleModule = {
  meta: {
    type: 'problem',
    docs: { description: 'Require a decorator on every property of a class with @Param or @Field.' },
    messages: {
      undeclared:
        'The property {{name}} carries no decorator, so it is in no schema. Decorate it with @Param or @Field; if it is not for the model, write @Param({ internal: true }), or make it #private.',
    },
    schema: [],
  },
  create: (context) => {
    /** The names that `Param` and `Field` have in this file. */
    const names = new Set<string>();
    return {
      ImportDeclaration: ({ source, specifiers }: ImportNode) => {
        if (!isPackage(source.value)) return;
        for (const { type, imported, local } of specifiers)
          if (type === 'ImportSpecifier' && DECORATORS.has(imported?.name ?? '')) names.add(local.name);
      },
      ClassBody: ({ body }: ClassNode) => {
        if (!body.some((member) => isDeclared(member, names))) return;
        for (const member of body)
          for (const property of propertiesOf(member))
            context.report({ node: property.node as never, messageId: 'undeclared', data: { name: property.name } });
      },
    };
  },
};

/** True for an entry of the package. */
function isPackage(specifier: unknown): boolean {
  return typeof specifier === 'string' && /^toolwright(\/|$)/.test(specifier);
}

function isDeclared({ decorators = [] }: ClassMember, names: ReadonlySet<string>): boolean {
  return decorators.some(({ expression }) => names.has(expression.callee?.name ?? ''));
}

interface Undecorated {
  readonly node: unknown;
  readonly name: string;
}

/** The properties without a decorator that a member declares: itself, or those of a constructor's parameters. */
function propertiesOf(member: ClassMember): readonly Undecorated[] {
  const { type, key, value, decorators = [] } = member;
  if (type === 'MethodDefinition') {
    const parameters = key?.name === 'constructor' ? (value?.params ?? []) : [];
    return parameters.flatMap(({ type: kind, parameter }) => {
      const name = parameter?.name ?? parameter?.left?.name;
      return kind === 'TSParameterProperty' && name !== undefined ? [{ node: parameter, name }] : [];
    });
  }
  const isProperty = type === 'PropertyDefinition' && member.static !== true && member.declare !== true;
  if (!isProperty || decorators.length > 0 || key === undefined || key.type === 'PrivateIdentifier') return [];
  if (member.computed === true || isFunction(value?.type)) return [];
  return [{ node: member, name: key.name ?? String(key.value) }];
}

function isFunction(type: string | undefined): boolean {
  return type === 'ArrowFunctionExpression' || type === 'FunctionExpression';
}
