import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import packages from '../../scripts/packages.cjs';

const sources = packages.map(({ folder }) => join(__dirname, '../..', folder, 'src'));

/** The declarations with options, and the heading of each on the page. */
const DECLARATIONS: readonly (readonly [heading: string, declaration: string])[] = [
  ['@Param and @Field', 'ParamOptions'],
  ['@Tool', 'ToolOptions'],
  ['@Section', 'SectionOptions'],
  ['@Prompt', 'PromptOptions'],
  ['createApplication', 'ApplicationOptions'],
  ['ToolwrightModule.forRoot', 'ToolwrightModuleOptions'],
  ['app.evaluate and app.stream', 'EvaluateOptions'],
];

/** An option of a declaration. */
export interface DeclaredOption {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** What its docblock says; empty without one. */
  readonly meaning: string;
}

/** The interfaces of all packages, by name. */
const interfaces = new Map(
  sources
    .flatMap((src) => readdirSync(src, { recursive: true, encoding: 'utf8' }).map((path) => join(src, path)))
    .filter((path) => path.endsWith('.ts') && !path.includes('packages/cli/'))
    .flatMap((path) => {
      const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
      return file.statements.filter(ts.isInterfaceDeclaration).map((each) => [each.name.text, each] as const);
    }),
);

/** The options of an interface, its own first, then those of the interfaces that it extends. */
export function optionsOf(name: string): readonly DeclaredOption[] {
  const declaration = interfaces.get(name);
  if (declaration === undefined) throw new Error(`No package declares an interface ${name}.`);
  const limits = new Map(
    (declaration.typeParameters ?? []).map(({ name: each, constraint }) => [each.text, constraint?.getText()]),
  );
  const own = declaration.members.flatMap((member) => (isNamed(member) ? [optionOf(member, limits)] : []));
  const known = new Set(own.map((each) => each.name));
  const inherited = (declaration.heritageClauses ?? []).flatMap(({ types }) => types).flatMap(inheritedOptions);
  return [...own, ...inherited.filter((each) => !known.has(each.name))];
}

type NamedMember = (ts.PropertySignature | ts.MethodSignature) & { readonly name: ts.Identifier };

function isNamed(member: ts.TypeElement): member is NamedMember {
  return (ts.isPropertySignature(member) || ts.isMethodSignature(member)) && ts.isIdentifier(member.name);
}

function optionOf(member: NamedMember, limits: ReadonlyMap<string, string | undefined>): DeclaredOption {
  const type = typeText(member.type?.getText() ?? '');
  return {
    name: member.name.text,
    // What a type parameter may be says more than its letter.
    type: ts.isMethodSignature(member) ? 'function' : typeText(limits.get(type) ?? type),
    isRequired: member.questionToken === undefined,
    meaning: ts
      .getJSDocCommentsAndTags(member)
      .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '')
      .join(' ')
      .replace(/\s+/g, ' ')
      .trim(),
  };
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

/** The type as a table shows it: in one line, without `undefined`, and without type parameters of its own. */
function typeText(text: string): string {
  return text
    .replace(/NoInfer<(\w+)>/g, '$1')
    .replace(/\s+/g, ' ')
    .replace(/ \| undefined$/, '')
    .replace(/^\| /, '')
    .replace(/^\((.*)\)$/, '$1')
    .trim();
}

/** The page of options. */
export function optionsPage(): string {
  const sections = DECLARATIONS.map(([heading, declaration]) => {
    const rows = optionsOf(declaration).map(({ name, type, isRequired, meaning }) => {
      const shown = `\`${type.replaceAll('|', '\\|')}\``;
      return `| \`${name}\`${isRequired ? ' (required)' : ''} | ${shown} | ${meaning.replaceAll('|', '\\|')} |`;
    });
    return [`## ${heading}`, '', '| option | type | description |', '|---|---|---|', ...rows].join('\n');
  });
  const intro = `# Options

The options of the decorators and of the main functions. An unknown name or an invalid value is refused with
[E312](errors.md#e312) or [E413](errors.md#e413). \`npm run docs\` generates this page from the declarations.`;
  return `${[intro, ...sections].join('\n\n')}\n`;
}
