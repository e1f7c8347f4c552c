import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import packages from '../../scripts/packages.cjs';

const sources = packages.map(({ folder }) => join(__dirname, '../..', folder, 'src'));

/** The declarations with options, and the heading of each on the page. */
export const DECLARATIONS: readonly (readonly [heading: string, declaration: string])[] = [
  ['@Param and @Field', 'ParamOptions'],
  ['@Tool', 'ToolOptions'],
  ['hints of @Tool', 'ToolHints'],
  ['retry of @Tool', 'ToolRetry'],
  ['@Section', 'SectionOptions'],
  ['@Prompt', 'PromptOptions'],
  ['search of @Prompt', 'SearchOptions'],
  ['Guardrails of @Tool, @Section and @Prompt', 'GuardrailOptions'],
  ['Limits of @Tool, @Section and @Prompt', 'ExecutionLimits'],
  ['createApplication', 'ApplicationOptions'],
  ['limits of createApplication', 'Limits'],
  ['ToolwrightModule.forRoot', 'ToolwrightModuleOptions'],
  ['app.evaluate and app.stream', 'EvaluateOptions'],
];

/** An option of a declaration. */
export interface DeclaredOption {
  readonly name: string;
  /** The interface that declares it, which may be one that the declaration extends. */
  readonly declaredBy: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** What its docblock says; empty without one. */
  readonly meaning: string;
  /** From `@defaultValue`: a value in backquotes, or words. Undefined for an option that does nothing when left out. */
  readonly defaultValue: string | undefined;
  /** From `@example`: the option with a value, in one line. */
  readonly example: string | undefined;
  /** From `@since`: the version that brought it. Undefined for an option of the first version. */
  readonly since: string | undefined;
}

/** The exported interfaces and types of all packages. */
const exported = sources
  .flatMap((src) => readdirSync(src, { recursive: true, encoding: 'utf8' }).map((path) => join(src, path)))
  .filter((path) => path.endsWith('.ts') && !path.includes('packages/cli/'))
  .flatMap((path) => {
    const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
    return file.statements
      .filter((each) => ts.isInterfaceDeclaration(each) || ts.isTypeAliasDeclaration(each))
      .filter(({ modifiers = [] }) => modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword));
  });
const interfaces = new Map(exported.filter(ts.isInterfaceDeclaration).map((each) => [each.name.text, each]));

/** The types that are a list of texts, such as `'on' | 'off'`, by name. */
const literals = new Map(
  exported
    .filter(ts.isTypeAliasDeclaration)
    .map(({ name, type }) => [name.text, type.getText().replace(/\s+/g, ' ').replace(/^\| /, '')] as const)
    .filter(([, type]) => /^'[\w-]+'(?: \| '[\w-]+')*$/.test(type)),
);

/** The options of an interface, its own first, then those of the interfaces that it extends. */
export function optionsOf(name: string): readonly DeclaredOption[] {
  const declaration = interfaces.get(name);
  if (declaration === undefined) throw new Error(`No package declares an interface ${name}.`);
  const parameters = declaration.typeParameters ?? [];
  const own = declaration.members.flatMap((member) => (isNamed(member) ? [optionOf(member, name, parameters)] : []));
  const known = new Set(own.map((each) => each.name));
  const inherited = (declaration.heritageClauses ?? []).flatMap(({ types }) => types).flatMap(inheritedOptions);
  return [...own, ...inherited.filter((each) => !known.has(each.name))];
}

type NamedMember = (ts.PropertySignature | ts.MethodSignature) & { readonly name: ts.Identifier };

function isNamed(member: ts.TypeElement): member is NamedMember {
  return (ts.isPropertySignature(member) || ts.isMethodSignature(member)) && ts.isIdentifier(member.name);
}

function optionOf(
  member: NamedMember,
  declaredBy: string,
  parameters: readonly ts.TypeParameterDeclaration[],
): DeclaredOption {
  const tag = (name: string): string | undefined => {
    const found = ts.getJSDocTags(member).find(({ tagName }) => tagName.text === name);
    return found === undefined ? undefined : textOf(found.comment);
  };
  return {
    name: member.name.text,
    declaredBy,
    type: ts.isMethodSignature(member) ? 'function' : typeText(member.type?.getText() ?? '', parameters),
    isRequired: member.questionToken === undefined,
    meaning: ts
      .getJSDocCommentsAndTags(member)
      .filter(ts.isJSDoc)
      .map(({ comment }) => textOf(comment))
      .join(' '),
    defaultValue: tag('defaultValue'),
    example: tag('example'),
    since: tag('since'),
  };
}

/** The text of a docblock or of a tag, in one line. */
function textOf(comment: ts.JSDoc['comment']): string {
  return (ts.getTextOfJSDocComment(comment) ?? '').replace(/\s+/g, ' ').trim();
}

/** The options that `extends X`, `extends Omit<X, 'a'>` or `extends Pick<X, 'a'>` bring. */
function inheritedOptions({ expression, typeArguments }: ts.ExpressionWithTypeArguments): readonly DeclaredOption[] {
  const name = expression.getText();
  if (name !== 'Omit' && name !== 'Pick') return optionsOf(name);
  const [base, names] = typeArguments ?? [];
  if (base === undefined || names === undefined) throw new Error(`${name} has no arguments.`);
  const listed = new Set([...names.getText().matchAll(/'(\w+)'/g)].map(([, each]) => each));
  return optionsOf(/^\w+/.exec(base.getText())?.[0] ?? '').filter(
    (option) => listed.has(option.name) === (name === 'Pick'),
  );
}

/** The type as the page shows it: in one line, without `undefined`, and without conditions on type parameters. */
function typeText(text: string, parameters: readonly ts.TypeParameterDeclaration[]): string {
  const type = text
    .replace(/NoInfer<(\w+)>/g, '$1')
    .replace(/\s+/g, ' ')
    .replace(/ \| undefined$/, '')
    .replace(/^\| /, '')
    .replace(/^\((.*)\)$/, '$1')
    .replace(/^\w+ extends \w+ \? never : /, '')
    .trim();
  // The texts of a list say more than its name, and the constraint of a type parameter more than its letter.
  return (literals.get(type) ?? type).replace(/\b[A-Z]\b/g, (letter) => {
    const parameter = parameters.find(({ name }) => name.text === letter);
    return (parameter?.constraint ?? (type === letter ? parameter?.default : undefined))?.getText() ?? letter;
  });
}

const INTRO = `# Options

Every option of the decorators and of the main functions: its type, its default, its meaning and an example. An option without a default
has no effect when it is left out. All options exist since 0.1.0, unless another version is named. An unknown name or an invalid value is
refused with [E312](errors.md#e312) or [E413](errors.md#e413). \`npm run docs\` generates this page from the declarations.`;

const declared = new Set(DECLARATIONS.map(([, declaration]) => declaration));

/** True for an inherited option whose interface has a section of its own: there it is described, elsewhere only named. */
function isDescribedElsewhere({ declaredBy }: DeclaredOption, declaration: string): boolean {
  return declaredBy !== declaration && declared.has(declaredBy);
}

/** The page of options. */
export function optionsPage(): string {
  const sections = DECLARATIONS.map(([heading, declaration]) => ({
    heading,
    declaration,
    options: optionsOf(declaration),
  }));
  const anchors = anchorsOf(sections);
  const texts = sections.map(({ heading, declaration, options }) => {
    const own = options.filter((option) => !isDescribedElsewhere(option, declaration));
    const links = options
      .filter((option) => isDescribedElsewhere(option, declaration))
      .map((option) => `[\`${option.name}\`](#${anchors.get(addressOf(option)) ?? ''})`);
    const inherited = links.length === 0 ? [] : [`It also has these options: ${links.join(', ')}.`];
    return [`## ${heading}`, ...inherited, ...own.map(describeOption)].join('\n\n');
  });
  return `${[INTRO, ...texts].join('\n\n')}\n`;
}

/** The part of the page about one option. */
export function describeOption({
  name,
  type,
  isRequired,
  meaning,
  defaultValue,
  example = '',
  since,
}: DeclaredOption): string {
  const facts = [
    `\`${type}\``,
    ...(isRequired ? ['required'] : []),
    ...(defaultValue === undefined ? [] : [`default: ${defaultValue}`]),
    ...(since === undefined ? [] : [`since ${since}`]),
  ];
  return `### ${name}\n\n${facts.join(' · ')}\n\n${linkPages(meaning)}\n\n\`\`\`ts\n${example}\n\`\`\``;
}

/** Turns mentions of other pages into links to them. */
function linkPages(text: string): string {
  return text.replace(/\bdocs\/([\w-]+\.md)/g, '[$1]($1)');
}

function addressOf({ declaredBy, name }: DeclaredOption): string {
  return `${declaredBy}.${name}`;
}

/** The anchors that GitHub and the site give to options in sections of their own declarations, by `Declaration.option`. */
function anchorsOf(
  sections: readonly {
    readonly heading: string;
    readonly declaration: string;
    readonly options: readonly DeclaredOption[];
  }[],
): ReadonlyMap<string, string> {
  const used = new Map<string, number>();
  const anchors = new Map<string, string>();
  for (const { declaration, options } of sections)
    for (const option of options) {
      if (isDescribedElsewhere(option, declaration)) continue;
      const slug = option.name.toLowerCase();
      const count = used.get(slug) ?? 0;
      used.set(slug, count + 1);
      anchors.set(addressOf(option), count === 0 ? slug : `${slug}-${String(count)}`);
    }
  return anchors;
}
