import type { ArgumentNode, ClassMember, DecoratorExpression, RuleModule, TypeNode } from './syntax.js';

/** The decorators of the package that declare a property. */
const DECORATORS: ReadonlySet<string> = new Set(['Param', 'Field']);

/** Decorators of class-validator that allow a property to be left out. */
const CONDITIONS: ReadonlySet<string> = new Set(['IsOptional', 'ValidateIf']);

/** Decorators of class-validator that name the values of a property. */
const VALUE_RULES: ReadonlySet<string> = new Set(['IsIn', 'IsEnum', 'Equals', 'Matches']);

/**
 * The rule `declared-properties`: in a class with `@Param`, `@Field` or rules of class-validator, every property must
 * have a decorator. A property without one would be in no schema (E221), and without an initial value most compilers
 * leave no trace of it at run time. A property with `?` must be declared optional in its decorators, too: compilers
 * emit nothing for the `?`, so the schema would require the property. A property with the values of an enum of the same
 * file, or of a union of literals, must name them: compilers emit only `String` or `Number`.
 */
export const declaredProperties: RuleModule = {
  meta: {
    type: 'problem',
    docs: {
      description:
        'Require a decorator on every property of a class with @Param, @Field or rules, and require optional and enumerated properties to be declared as such.',
    },
    messages: {
      undeclared:
        'The property {{name}} has no decorator, so it is in no schema. Decorate it with @Param or @Field. If the model should not see it, write @Param({ internal: true }), or make it #private.',
      required:
        'The property {{name}} is optional here but required in the schema: the "?" does not exist at run time. Write @Param({ optional: true }), give it a default, or add @IsOptional().',
      widened:
        'The property {{name}} has a few values here but accepts any string or number in the schema: compilers do not emit the values. Write @Param({ enum: … }), or add @IsEnum(…) or @IsIn(…).',
    },
    schema: [],
  },
  create: (context) => {
    /** The decorators that declare a property, by their names in this file. */
    const names = new Map<string, Declaring>();
    const enums = new Set<string>();
    return {
      Program: ({ body }) => {
        for (const statement of body) {
          const { type, id } = statement.declaration ?? statement;
          if (type === 'TSEnumDeclaration' && id?.name !== undefined) enums.add(id.name);
        }
      },
      ImportDeclaration: ({ source, specifiers }) => {
        const isOurs = isPackage(source.value);
        if (!isOurs && source.value !== 'class-validator') return;
        for (const { type, imported, local } of specifiers) {
          const name = imported?.name ?? '';
          if (type !== 'ImportSpecifier' || (isOurs && !DECORATORS.has(name))) continue;
          names.set(local.name, isOurs ? 'options' : classifyRule(name));
        }
      },
      ClassBody: ({ body }) => {
        const declared = body.filter((member) => isDeclared(member, names));
        if (declared.length === 0) return;
        for (const member of body)
          for (const property of listUndecorated(member))
            context.report({ node: property.node as never, messageId: 'undeclared', data: { name: property.name } });
        for (const member of declared) {
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

/** Returns true for an entry of the package. */
function isPackage(specifier: unknown): boolean {
  return typeof specifier === 'string' && /^toolwright(\/|$)/.test(specifier);
}

/**
 * The meaning of a decorator. `options`: `@Param`; `optional`: allows the property to be left out; `values`: names its
 * values; `rule`: any other decorator of class-validator.
 */
type Declaring = 'options' | 'optional' | 'values' | 'rule';

function classifyRule(name: string): Declaring {
  if (CONDITIONS.has(name)) return 'optional';
  return VALUE_RULES.has(name) ? 'values' : 'rule';
}

function isDeclared({ type, decorators = [] }: ClassMember, names: ReadonlyMap<string, Declaring>): boolean {
  return type === 'PropertyDefinition' && decorators.some(({ expression }) => names.has(expression.callee?.name ?? ''));
}

/** Returns true for a declared property with `?` that its decorators do not declare optional. */
function isRequired(member: ClassMember, names: ReadonlyMap<string, Declaring>): boolean {
  if (member.optional !== true) return false;
  return !(member.decorators ?? []).some(({ expression: { callee, arguments: given = [] } }) => {
    const kind = names.get(callee?.name ?? '');
    return kind === 'optional' || (kind === 'options' && given.some((options) => mayHave(options, OPTIONAL)));
  });
}

/** Returns true for a declared property that has a few values which its decorators do not name. */
function isWidened(member: ClassMember, names: ReadonlyMap<string, Declaring>, enums: ReadonlySet<string>): boolean {
  const type = member.typeAnnotation?.typeAnnotation;
  const isOfEnum = type === undefined ? enums.has(member.value?.object?.name ?? '') : hasFewValues(type, enums);
  return isOfEnum && !(member.decorators ?? []).some(({ expression }) => mayNameValues(expression, names));
}

/**
 * Returns true for a type for which compilers emit `String` or `Number`. For an enum of another file they emit the
 * value found at run time.
 */
function hasFewValues(type: TypeNode, enums: ReadonlySet<string>): boolean {
  if (type.type === 'TSUnionType') {
    const types = (type.types ?? []).filter((member) => member.type !== 'TSUndefinedKeyword');
    return types.length > 0 && types.every((member) => hasFewValues(member, enums));
  }
  if (type.type === 'TSLiteralType') return ['string', 'number'].includes(typeof type.literal?.value);
  return type.type === 'TSTypeReference' && enums.has(type.typeName?.name ?? '');
}

/** The options that make a property optional. */
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

/** Returns true for an argument with one of some options, and for an argument that is not an object literal. */
function mayHave({ type, properties = [] }: ArgumentNode, options: readonly string[]): boolean {
  if (type !== 'ObjectExpression') return type === 'Identifier' || type === 'CallExpression';
  return properties.some(({ key }) => key === undefined || options.includes(key.name ?? ''));
}

/** Returns the properties without a decorator that a member declares: itself, or the parameter properties of a constructor. */
function listUndecorated(member: ClassMember): readonly { readonly node: unknown; readonly name: string }[] {
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
