import type {
  ArgumentNode,
  ClassMember,
  ClassNode,
  DecoratorExpression,
  ImportNode,
  ProgramNode,
  RuleModule,
  TypeNode,
} from './syntax.js';

/** The decorators of the package that declare a property. */
const DECORATORS: ReadonlySet<string> = new Set(['Param', 'Field']);

/** Decorators of class-validator that a property may be left out with. */
const CONDITIONS: ReadonlySet<string> = new Set(['IsOptional', 'ValidateIf']);

/** Decorators of class-validator that name the values of a property. */
const VALUE_RULES: ReadonlySet<string> = new Set(['IsIn', 'IsEnum', 'Equals', 'Matches']);

/**
 * The rule `declared-properties`: in a class with `@Param`, `@Field` or rules of class-validator, every property carries a decorator. One
 * without would be in no schema (E221), and without an initial value most compilers leave nothing of it that could be seen at run time.
 * A property with `?` says so in its decorators, too: compilers emit nothing of the `?`, so that the schema would require it. So does one
 * that has the values of an enum of the same file, or of a union of literals: compilers emit `String` or `Number` of them.
 */
export const declaredProperties: RuleModule = {
  meta: {
    type: 'problem',
    docs: {
      description:
        'Require a decorator on every property of a class with @Param, @Field or rules, and optional and enumerated ones to be declared so.',
    },
    messages: {
      undeclared:
        'The property {{name}} carries no decorator, so it is in no schema. Decorate it with @Param or @Field; if it is not for the model, write @Param({ internal: true }), or make it #private.',
      required:
        'The property {{name}} is optional here, and required in the schema: the "?" is not there at run time. Write @Param({ optional: true }), give it a default, or add @IsOptional().',
      widened:
        'The property {{name}} has a few values here, and any string or number in the schema: compilers emit no more of its type. Write @Param({ enum: … }), or add @IsEnum(…) or @IsIn(…).',
    },
    schema: [],
  },
  create: (context) => {
    /** The decorators that declare a property, by the names that they have in this file. */
    const names = new Map<string, Declaring>();
    const enums = new Set<string>();
    return {
      Program: ({ body }: ProgramNode) => {
        for (const statement of body) {
          const { type, id } = statement.declaration ?? statement;
          if (type === 'TSEnumDeclaration' && id?.name !== undefined) enums.add(id.name);
        }
      },
      ImportDeclaration: ({ source, specifiers }: ImportNode) => {
        const isOurs = isPackage(source.value);
        if (!isOurs && source.value !== 'class-validator') return;
        for (const { type, imported, local } of specifiers) {
          const name = imported?.name ?? '';
          if (type !== 'ImportSpecifier' || (isOurs && !DECORATORS.has(name))) continue;
          names.set(local.name, isOurs ? 'options' : ruleKind(name));
        }
      },
      ClassBody: ({ body }: ClassNode) => {
        if (!body.some((member) => isDeclared(member, names))) return;
        for (const member of body)
          for (const property of propertiesOf(member))
            context.report({ node: property.node as never, messageId: 'undeclared', data: { name: property.name } });
        for (const member of body) {
          const { name, value } = member.key ?? {};
          const report = (messageId: string): void =>
            context.report({ node: member as never, messageId, data: { name: name ?? String(value) } });
          if (isRequired(member, names)) report('required');
          if (isWidened(member, names, enums)) report('widened');
        }
      },
    };
  },
};

/** True for an entry of the package. */
function isPackage(specifier: unknown): boolean {
  return typeof specifier === 'string' && /^toolwright(\/|$)/.test(specifier);
}

/**
 * What a decorator says: `options` are those of `@Param`, `optional` makes a property so, `values` names its values, `rule` is any other
 * of class-validator.
 */
type Declaring = 'options' | 'optional' | 'values' | 'rule';

function ruleKind(name: string): Declaring {
  if (CONDITIONS.has(name)) return 'optional';
  return VALUE_RULES.has(name) ? 'values' : 'rule';
}

function isDeclared({ type, decorators = [] }: ClassMember, names: ReadonlyMap<string, Declaring>): boolean {
  return type === 'PropertyDefinition' && decorators.some(({ expression }) => names.has(expression.callee?.name ?? ''));
}

/** True for a declared property with `?` whose decorators do not say that it may be left out. */
function isRequired(member: ClassMember, names: ReadonlyMap<string, Declaring>): boolean {
  if (member.optional !== true || !isDeclared(member, names)) return false;
  return !(member.decorators ?? []).some(({ expression: { callee, arguments: given = [] } }) => {
    const kind = names.get(callee?.name ?? '');
    return kind === 'optional' || (kind === 'options' && given.some((options) => mayHave(options, OPTIONAL)));
  });
}

/** True for a declared property whose type has a few values, none of which its decorators name. */
function isWidened(member: ClassMember, names: ReadonlyMap<string, Declaring>, enums: ReadonlySet<string>): boolean {
  const type = member.typeAnnotation?.typeAnnotation;
  const isOfEnum = type === undefined ? enums.has(member.value?.object?.name ?? '') : hasFewValues(type, enums);
  if (!isOfEnum || !isDeclared(member, names)) return false;
  return !(member.decorators ?? []).some(({ expression }) => mayNameValues(expression, names));
}

/** True for a type of which compilers emit `String` or `Number`; of an enum of another file they emit what is found at run time. */
function hasFewValues(type: TypeNode, enums: ReadonlySet<string>): boolean {
  if (type.type === 'TSUnionType') {
    const types = (type.types ?? []).filter((member) => member.type !== 'TSUndefinedKeyword');
    return types.length > 0 && types.every((member) => hasFewValues(member, enums));
  }
  if (type.type === 'TSLiteralType') return ['string', 'number'].includes(typeof type.literal?.value);
  return type.type === 'TSTypeReference' && enums.has(type.typeName?.name ?? '');
}

/** The options that say that a property is optional. */
const OPTIONAL: readonly string[] = ['optional', 'default', 'internal'];
/** The options that name the values of a property. */
const VALUES: readonly string[] = ['enum', 'type', 'oneOf', 'record', 'pattern', 'internal'];

function mayNameValues(
  { callee, arguments: given = [] }: DecoratorExpression,
  names: ReadonlyMap<string, Declaring>,
): boolean {
  const kind = names.get(callee?.name ?? '');
  // Decorators of other packages, such as @ApiProperty({ enum }), @Type(() => Unit) or @Transform(…).
  if (kind === undefined)
    return given.some(({ type }) => isFunction(type)) || given.some((options) => mayHave(options, VALUES));
  return kind === 'values' || (kind === 'options' && given.some((options) => mayHave(options, VALUES)));
}

/** True for an argument with one of some options, and for one that is not written here. */
function mayHave({ type, properties = [] }: ArgumentNode, options: readonly string[]): boolean {
  if (type !== 'ObjectExpression') return type === 'Identifier' || type === 'CallExpression';
  return properties.some(({ key }) => key === undefined || options.includes(key.name ?? ''));
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
