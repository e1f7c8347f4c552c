import type { ArgumentNode, ClassMember, ClassNode, ImportNode, RuleModule } from './syntax.js';

/** The decorators of the package that declare a property. */
const DECORATORS: ReadonlySet<string> = new Set(['Param', 'Field']);

/** Decorators of class-validator that a property may be left out with. */
const CONDITIONS: ReadonlySet<string> = new Set(['IsOptional', 'ValidateIf']);

/**
 * The rule `declared-properties`: in a class with `@Param`, `@Field` or rules of class-validator, every property carries a decorator. One
 * without would be in no schema (E221), and without an initial value most compilers leave nothing of it that could be seen at run time.
 * A property with `?` says so in its decorators, too: compilers emit nothing of the `?`, so that the schema would require it.
 */
export const declaredProperties: RuleModule = {
  meta: {
    type: 'problem',
    docs: {
      description:
        'Require a decorator on every property of a class with @Param, @Field or rules, and optional ones to be declared so.',
    },
    messages: {
      undeclared:
        'The property {{name}} carries no decorator, so it is in no schema. Decorate it with @Param or @Field; if it is not for the model, write @Param({ internal: true }), or make it #private.',
      required:
        'The property {{name}} is optional here, and required in the schema: the "?" is not there at run time. Write @Param({ optional: true }), give it a default, or add @IsOptional().',
    },
    schema: [],
  },
  create: (context) => {
    /** The decorators that declare a property, by the names that they have in this file. */
    const names = new Map<string, Declaring>();
    return {
      ImportDeclaration: ({ source, specifiers }: ImportNode) => {
        const isOurs = isPackage(source.value);
        if (!isOurs && source.value !== 'class-validator') return;
        for (const { type, imported, local } of specifiers) {
          const name = imported?.name ?? '';
          if (type !== 'ImportSpecifier' || (isOurs && !DECORATORS.has(name))) continue;
          names.set(local.name, isOurs ? 'options' : CONDITIONS.has(name) ? 'optional' : 'rule');
        }
      },
      ClassBody: ({ body }: ClassNode) => {
        if (!body.some((member) => isDeclared(member, names))) return;
        for (const member of body)
          for (const property of propertiesOf(member))
            context.report({ node: property.node as never, messageId: 'undeclared', data: { name: property.name } });
        for (const member of body)
          if (isRequired(member, names)) {
            const { name, value } = member.key ?? {};
            context.report({ node: member as never, messageId: 'required', data: { name: name ?? String(value) } });
          }
      },
    };
  },
};

/** True for an entry of the package. */
function isPackage(specifier: unknown): boolean {
  return typeof specifier === 'string' && /^toolwright(\/|$)/.test(specifier);
}

/** What a decorator says: `options` are those of `@Param`, `optional` makes a property so, `rule` is any other of class-validator. */
type Declaring = 'options' | 'optional' | 'rule';

function isDeclared({ type, decorators = [] }: ClassMember, names: ReadonlyMap<string, Declaring>): boolean {
  return type === 'PropertyDefinition' && decorators.some(({ expression }) => names.has(expression.callee?.name ?? ''));
}

/** True for a declared property with `?` whose decorators do not say that it may be left out. */
function isRequired(member: ClassMember, names: ReadonlyMap<string, Declaring>): boolean {
  if (member.optional !== true || !isDeclared(member, names)) return false;
  return !(member.decorators ?? []).some(({ expression: { callee, arguments: given = [] } }) => {
    const kind = names.get(callee?.name ?? '');
    return kind === 'optional' || (kind === 'options' && given.some(mayBeOptional));
  });
}

/** True for options that say that a property is optional or internal, and for any that are not written here. */
function mayBeOptional({ type, properties = [] }: ArgumentNode): boolean {
  if (type !== 'ObjectExpression') return type === 'Identifier' || type === 'CallExpression';
  return properties.some(
    ({ key }) => key === undefined || ['optional', 'default', 'internal'].includes(key.name ?? ''),
  );
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
