import { className } from '../common/classes.js';
import { describeValue } from '../common/text.js';
import { freezeOptions, freezePlain } from '../common/freeze.js';
import { lazy } from '../common/lazy.js';
import type { Constructor, JsonSchema } from '../common/types.js';
import { finding, type Finding } from '../error/Finding.js';
import { PromptValidationError } from '../error/PromptError.js';
import type { ResourceBinding } from '../interface/ResourceBinding.js';
import type { ToolPolicy } from '../interface/ToolPolicy.js';
import { knownArgs } from '../metadata/args/MetadataArgsStorage.js';
import type { PromptOptions } from '../metadata/args/SectionMetadataArgs.js';
import type { Parser } from '../metadata/ClassShape.js';
import type { PromptMetadata, SectionMetadata } from '../metadata/PromptMetadata.js';
import type { ToolInvoker, ToolMetadata } from '../metadata/ToolMetadata.js';
import type { CallLimits, ToolTexts, WireNames } from '../metadata/args/ToolMetadataArgs.js';
import { seesDecorators } from '../schema/read/classTransformer.js';
import { classSchema } from '../schema/emit/jsonSchema.js';
import { outputOf } from '../schema/parse/outputOf.js';
import { createParser, parseNothing } from '../schema/parse/parser.js';
import { declaredPattern } from '../schema/pattern/declaredPattern.js';
import { ShapeReader, type ShapeFault } from '../schema/read/ShapeReader.js';
import type { ParseOptions } from '../schema/parse/ParseOptions.js';
import { everyCaller } from '../value/ToolCaller.js';
import { asInstance } from './asInstance.js';
import { captives } from './captives.js';
import { collect } from './collect.js';
import { inherited, mergeGuardrails, noGuardrails, type Inherited } from './guardrails.js';
import { hookMember } from './hooks.js';
import type { HandlerPlan } from './planHandler.js';
import { promptUniqueness } from './promptUniqueness.js';
import { handlerOf } from './handlerOf.js';
import { previewer } from './previewer.js';
import type { PromptDraft, SectionDraft, ToolDraft } from './PromptDraft.js';
import { rules } from './rules.js';

/** Options for reading classes and parsing arguments. */
export interface BuildOptions {
  readonly fieldNames: WireNames;
  readonly parse: ParseOptions;
  /** The bindings of `createApplication({ resources })`: constructors cannot depend on those of the scope `toolCall`. */
  readonly resources?: readonly ResourceBinding[] | undefined;
  /** The policies of the container, which apply to every tool. */
  readonly policies?: readonly ToolPolicy[] | undefined;
  /** The application's choice; `portable` when left out. */
  readonly toolTexts?: ToolTexts | undefined;
  /** The limits of every call that has no nearer ones. */
  readonly callLimits?: CallLimits | undefined;
}

const NO_ARGUMENTS_SCHEMA = freezePlain({ type: 'object', properties: {}, additionalProperties: false });

/**
 * Compiles prompt classes and the declarations below them into frozen metadata; the classes themselves are not changed.
 *
 * @throws PromptValidationError with every fault of every prompt
 */
export function buildPrompts(roots: readonly Constructor[], options: BuildOptions): readonly PromptMetadata[] {
  const wire = {
    'as-is': new ShapeReader('as-is', declaredPattern),
    snake_case: new ShapeReader('snake_case', declaredPattern),
  };
  const section = new ShapeReader('property', declaredPattern);
  const findings: Finding[] = seesDecorators()
    ? []
    : [
        finding('E214', 'decorators of class-transformer are written to a copy that is not read', {
          place: 'class-transformer',
        }),
      ];
  const drafts: PromptDraft[] = [];
  for (const type of listed(roots, findings)) {
    const root = rootOf(type, findings);
    if (root === undefined) continue;
    const draft = collect(root.type, root.options, { wire, section }, options);
    drafts.push(draft);
    findings.push(...draft.findings, ...rules.flatMap((rule) => rule(draft)));
  }
  findings.push(...promptUniqueness(drafts), ...drafts.flatMap((draft) => captives(draft, options.resources ?? [])));
  const tools = drafts.flatMap(({ allTools }) => allTools);
  const ofParams = Object.values(wire).flatMap(({ faults }) => faults.map((fault) => placed(fault, tools)));
  const [first, ...others] = distinct([...findings, ...ofParams, ...section.faults.map(({ found }) => found)]);
  if (first !== undefined) throw new PromptValidationError([first, ...others]);
  return drafts.map((draft) => new Assembler(options).prompt(draft));
}

interface Root {
  readonly type: Constructor;
  readonly options: PromptOptions | null;
}

const PLACE = 'createApplication({ prompts })';

/** The listed classes; reports a finding if JavaScript passed something other than a list. */
function listed(roots: unknown, findings: Finding[]): readonly unknown[] {
  if (Array.isArray(roots)) return roots;
  findings.push(finding('E312', `prompts is ${describeValue(roots)}; a list of classes is expected`, { place: PLACE }));
  return [];
}

/** The class and options of a listed prompt; undefined, with a finding, if it is not a prompt. */
function rootOf(type: unknown, findings: Finding[]): Root | undefined {
  if (type === undefined || type === null) {
    findings.push(finding('E307', 'a class in prompts was undefined when it was read', { place: PLACE }));
    return undefined;
  }
  const options = knownArgs(type as Constructor)?.prompt;
  if (options !== undefined) return { type: type as Constructor, options };
  const name = className(type);
  findings.push(finding('E301', 'it is listed as a prompt, but carries no @Prompt', { place: name, className: name }));
  return undefined;
}

/** Adds the affected tool to a fault of a params class; for `@Param` scalars, which have no written class, the handler. */
function placed({ type, found }: ShapeFault, tools: readonly ToolDraft[]): Finding {
  const tool = tools.find(({ params }) => params?.type === type);
  if (tool === undefined) return found;
  const { sectionPath, name: toolName } = tool;
  const index =
    'code' in tool.handler
      ? -1
      : tool.handler.slots.findIndex((slot) => slot.kind === 'scalar' && slot.name === found.member);
  if (index < 0) return { ...found, sectionPath, toolName };
  return {
    ...found,
    sectionPath,
    toolName,
    className: className(tool.owner),
    member: tool.member,
    place: tool.place,
    placeholder: found.member,
    problem: `parameter ${String(index)} ("${found.member ?? ''}"): ${found.problem}`,
  };
}

/** Removes duplicates: a fault of a class that several tools share is reported once. */
function distinct(findings: readonly Finding[]): readonly Finding[] {
  const first = new Map<string, Finding>();
  for (const found of findings) {
    const key = `${found.code} ${found.place} ${found.problem}`;
    if (!first.has(key)) first.set(key, found);
  }
  return [...first.values()];
}

/** Converts a draft without findings to metadata. */
class Assembler {
  readonly #options: BuildOptions;

  constructor(options: BuildOptions) {
    this.#options = options;
  }

  prompt(draft: PromptDraft): PromptMetadata {
    const { policies, callLimits = {} } = this.#options;
    const ofApplication = { guardrails: mergeGuardrails(noGuardrails, { policies }), limits: callLimits };
    const outer = { ...inherited(ofApplication, draft.options), texts: draft.toolTexts, fieldNames: draft.fieldNames };
    const sections = draft.sections.map((section) => this.#section(section, outer));
    const { allowExtraKeys = false } = draft.options;
    return Object.freeze({
      type: draft.type,
      ns: draft.options.ns.trim(),
      key: draft.options.key.trim(),
      name: draft.options.name ?? draft.options.key.trim(),
      heading: draft.options.heading ?? 'numbered-path',
      disclosure: draft.options.disclosure ?? 'open',
      sections: Object.freeze(sections),
      allSections: Object.freeze(sections.flatMap(withDescendants)),
      output: this.#output(draft.output, allowExtraKeys),
      allowExtraKeys,
      fieldNames: draft.fieldNames,
      extensions: frozenList(draft.options.extensions),
      completion: frozenList(draft.options.completion),
      resources: frozenList(draft.options.resources),
    });
  }

  #output(draft: PromptDraft['output'], allowExtraKeys: boolean): PromptMetadata['output'] {
    if (draft === null) return null;
    const extra = allowExtraKeys ? 'ignore' : 'forbid';
    return outputOf(freezePlain(draft.shape), draft.container, { ...this.#options.parse, extra });
  }

  #section(draft: SectionDraft, outer: Inherited): SectionMetadata {
    const { options } = draft;
    const inner = { ...outer, ...inherited(outer, options) };
    const params = freezePlain(draft.params);
    const defaults =
      params === null || options.defaults === undefined ? undefined : asInstance(params, options.defaults);
    return Object.freeze({
      type: draft.type,
      defined: draft.defined,
      key: draft.key,
      path: draft.path,
      number: draft.number,
      depth: draft.depth,
      title: options.title.trim(),
      template: freezePlain(draft.template),
      summary: freezePlain(draft.summary),
      params,
      parseParams: params === null ? parseNothing : createParser(params),
      defaults: defaults?.ok === true ? defaults.value : undefined,
      visibility: options.visibility ?? hookMember(draft.type, 'visibility').method,
      enabled: options.enabled ?? hookMember(draft.type, 'enabled').method,
      renderBody: options.renderBody ?? hookMember(draft.type, 'renderBody').method,
      tools: Object.freeze(draft.tools.map((tool) => this.#tool(tool, inner))),
      children: Object.freeze(draft.children.map((child) => this.#section(child, inner))),
      acceptsOverrides: options.acceptsOverrides !== false,
      completion: frozenList(options.completion),
      resources: frozenList(options.resources),
    });
  }

  #tool(draft: ToolDraft, outer: Inherited): ToolMetadata {
    const { options, result } = draft;
    const { guardrails, limits } = inherited(outer, options);
    const params = freezePlain(draft.params);
    return Object.freeze({
      name: draft.name,
      description: options.description.trim(),
      remoteName: knownArgs(draft.owner)?.remoteName,
      sectionPath: draft.sectionPath,
      place: draft.place,
      owner: draft.owner,
      member: draft.defined ? undefined : (draft.args.member ?? 'handle'),
      invoke: invoker(draft),
      preview: previewer(options),
      params,
      ...this.#arguments(params, draft.foreignParams),
      result: result !== null && 'kind' in result ? freezePlain(result) : null,
      resultMismatch: draft.resultMismatch,
      returnSchema: options.returnSchema === undefined ? null : frozenSchema(options.returnSchema),
      resultContainer: result !== null && 'kind' in result && result.kind === 'array' ? 'array' : 'object',
      examples: frozenList(options.examples),
      acceptsOverrides: draft.acceptsOverrides,
      hints: freezeOptions(options.hints ?? {}),
      retry: options.retry === undefined ? null : Object.freeze({ ...options.retry }),
      onUnknown: options.onUnknown,
      callers: frozenList(options.callers ?? everyCaller),
      texts: outer.texts,
      fieldNames: outer.fieldNames,
      timeoutMs: limits.timeoutMs,
      resultLimit: limits.resultLimit,
      guardrails,
      completion: frozenList(options.completion),
    });
  }

  /** The parsers and the schema of a tool, for any kind of params. */
  #arguments(params: ToolDraft['params'], foreign: ToolDraft['foreignParams']): ToolArguments {
    if (foreign !== null)
      return { parse: foreign.parse, parseExactly: foreign.parse, schema: freezePlain(foreign.schema) };
    if (params === null) return { parse: parseNothing, parseExactly: parseNothing, schema: NO_ARGUMENTS_SCHEMA };
    const { parse: rules } = this.#options;
    const parse = createParser(params, rules);
    const exact = lazy(() => createParser(params, { ...rules, coerce: false }));
    const parseExactly: Parser = rules.coerce === true ? (value) => exact()(value) : parse;
    return { parse, parseExactly, schema: freezePlain(classSchema(params)) };
  }
}

type ToolArguments = Pick<ToolMetadata, 'parse' | 'parseExactly' | 'schema'>;

/** Freezes a copy, since objects of the author must not be frozen. */
function frozenList<T>(list: readonly T[] = []): readonly T[] {
  return Object.freeze([...list]);
}

/** Like `frozenList`, for a declared schema. */
const frozenSchema = (schema: JsonSchema): JsonSchema => freezePlain(JSON.parse(JSON.stringify(schema)) as JsonSchema);

function withDescendants(section: SectionMetadata): readonly SectionMetadata[] {
  return [section, ...section.children.flatMap(withDescendants)];
}

/** Creates the function that calls a handler with its arguments in the declared order. */
function invoker(draft: ToolDraft): ToolInvoker | null {
  if (draft.defined) {
    const handler = knownArgs(draft.owner)?.definedHandler;
    return handler === null || handler === undefined
      ? null
      : (_owner, params, context) => handler(params as never, context);
  }
  const { args, place } = draft;
  const member = args.member ?? 'handle';
  const { slots } = draft.handler as HandlerPlan;
  const kinds = slots.map(({ kind }) => kind).join();
  if (kinds === 'params,context')
    return (owner, params, context) => handlerOf(owner, member, place).call(owner, params, context);
  if (kinds === 'params') return (owner, params) => handlerOf(owner, member, place).call(owner, params);
  return (owner, params, context) => {
    const values = slots.map((slot) =>
      slot.kind === 'context'
        ? context
        : slot.kind === 'params'
          ? params
          : (params as Readonly<Record<string, unknown>>)[slot.name],
    );
    return handlerOf(owner, member, place).apply(owner, values);
  };
}
