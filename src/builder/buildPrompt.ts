import { className } from '../common/classes.js';
import { describeValue } from '../common/text.js';
import { copyOwnOptions, freezePlain } from '../common/objects.js';
import { getOrCreate, memoize } from '../common/memoize.js';
import type { Constructor, JsonSchema } from '../common/types.js';
import { createFinding, type Finding } from '../error/Finding.js';
import { PromptValidationError } from '../error/PromptError.js';
import type { ResourceBinding } from '../interface/ResourceBinding.js';
import type { ToolPolicy } from '../interface/ToolPolicy.js';
import { findArgs } from '../metadata/args/MetadataArgsStorage.js';
import type { PromptOptions } from '../metadata/args/SectionMetadataArgs.js';
import type { Parser } from '../metadata/ClassShape.js';
import type { PromptMetadata, SectionMetadata } from '../metadata/PromptMetadata.js';
import type { ToolInvoker, ToolMetadata } from '../metadata/ToolMetadata.js';
import type { ExecutionLimits, ToolTexts, WireNames } from '../metadata/args/ToolMetadataArgs.js';
import { seesDecorators } from '../schema/read/loadLibraries.js';
import { writeClassSchema } from '../schema/emit/writeClassSchema.js';
import { getOutput } from '../schema/parse/getOutput.js';
import { createParser, parseNothing } from '../schema/parse/parser.js';
import { readDeclaredPattern } from '../schema/pattern/readDeclaredPattern.js';
import { ShapeReader, type ShapeFault } from '../schema/read/ShapeReader.js';
import type { ParseOptions } from '../schema/parse/ParseOptions.js';
import { everyCaller } from '../value/ToolCall.js';
import { parseToInstance } from './parseToInstance.js';
import { findCaptiveDependencies } from './findCaptiveDependencies.js';
import { collectDraft, listSubtree } from './collectDraft.js';
import { inheritGuardrails, mergeGuardrails, noGuardrails, type Inherited } from './mergeGuardrails.js';
import { readHookMember } from './readHooks.js';
import type { HandlerPlan } from './planHandler.js';
import { createClassFinding } from './rule/createFindings.js';
import { findRepeatedPrompts } from './rule/promptRules.js';
import { findHandler, createPreviewInvoker } from './findHandler.js';
import type { PromptDraft, SectionDraft, ToolDraft } from './PromptDraft.js';
import { rules } from './rules.js';

export interface BuildOptions {
  readonly fieldNames: WireNames;
  readonly parse: ParseOptions;
  /** The bindings of the application. Constructors cannot depend on those with the scope `toolCall`. */
  readonly resources?: readonly ResourceBinding[] | undefined;
  /** The policies of the container, which apply to every tool. */
  readonly policies?: readonly ToolPolicy[] | undefined;
  /** The choice of the application; `portable` by default. */
  readonly toolTexts?: ToolTexts | undefined;
  /** The limits of every call without closer ones. */
  readonly callLimits?: ExecutionLimits | undefined;
}

const NO_ARGUMENTS_SCHEMA = freezePlain({ type: 'object', properties: {}, additionalProperties: false });

/**
 * Compiles prompt classes and the declarations below them into frozen metadata. The classes themselves are not changed.
 *
 * @throws PromptValidationError with every fault of every prompt
 */
export function buildPrompts(roots: readonly Constructor[], options: BuildOptions): readonly PromptMetadata[] {
  const wire = {
    'as-is': new ShapeReader('as-is', readDeclaredPattern),
    snake_case: new ShapeReader('snake_case', readDeclaredPattern),
  };
  const section = new ShapeReader('property', readDeclaredPattern);
  const findings: Finding[] = seesDecorators()
    ? []
    : [
        createFinding('E214', 'decorators of class-transformer are written to a copy that is not read', {
          place: 'class-transformer',
        }),
      ];
  const drafts: PromptDraft[] = [];
  for (const type of requireClassList(roots, findings)) {
    const given = findPromptOptions(type, findings);
    if (given === undefined) continue;
    const draft = collectDraft(type as Constructor, given, { wire, section }, options);
    drafts.push(draft);
    findings.push(...draft.findings, ...rules.flatMap((rule) => rule(draft)));
  }
  findings.push(
    ...findRepeatedPrompts(drafts),
    ...drafts.flatMap((draft) => findCaptiveDependencies(draft, options.resources ?? [])),
  );
  const tools = drafts.flatMap(({ allTools }) => allTools);
  const ofParams = Object.values(wire).flatMap(({ faults }) => faults.map((fault) => placeFault(fault, tools)));
  const [first, ...others] = removeDuplicates([...findings, ...ofParams, ...section.faults.map(({ found }) => found)]);
  if (first !== undefined) throw new PromptValidationError([first, ...others]);
  return drafts.map((draft) => new Assembler(options).prompt(draft));
}

const PLACE = 'createApplication({ prompts })';

/** Returns the listed classes, and reports a finding if JavaScript passed something other than a list. */
function requireClassList(roots: unknown, findings: Finding[]): readonly unknown[] {
  if (Array.isArray(roots)) return roots;
  findings.push(
    createFinding('E312', `prompts: expected a list of classes, got ${describeValue(roots)}`, { place: PLACE }),
  );
  return [];
}

/** Returns the options of a listed class. If it is not a prompt, reports a finding and returns undefined. */
function findPromptOptions(type: unknown, findings: Finding[]): PromptOptions | null | undefined {
  if (type === undefined || type === null) {
    findings.push(createFinding('E307', 'a class in prompts was undefined when it was read', { place: PLACE }));
    return undefined;
  }
  const options = findArgs(type as Constructor)?.prompt;
  if (options === undefined)
    findings.push(createClassFinding('E301', type, 'it is listed as a prompt, but has no @Prompt'));
  return options;
}

/** Adds the tool to a fault of a params class, or the handler of `@Param` scalars, whose class is generated. */
function placeFault({ type, found }: ShapeFault, tools: readonly ToolDraft[]): Finding {
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
function removeDuplicates(findings: readonly Finding[]): readonly Finding[] {
  const first = new Map<string, Finding>();
  for (const found of findings) getOrCreate(first, `${found.code} ${found.place} ${found.problem}`, () => found);
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
    const outer = {
      ...inheritGuardrails(ofApplication, draft.options),
      texts: draft.toolTexts,
      fieldNames: draft.fieldNames,
      searchable: false,
    };
    const sections = draft.sections.map((section) => this.#assembleSection(section, outer));
    const { allowExtraKeys = false } = draft.options;
    return Object.freeze({
      type: draft.type,
      ns: draft.options.ns.trim(),
      key: draft.options.key.trim(),
      name: draft.options.name ?? draft.options.key.trim(),
      heading: draft.options.heading ?? 'numbered-path',
      disclosure: draft.options.disclosure ?? 'open',
      search: readSearch(draft.options.search),
      sections: Object.freeze(sections),
      allSections: Object.freeze(sections.flatMap((section) => listSubtree(section))),
      output: this.#assembleOutput(draft.output, allowExtraKeys),
      allowExtraKeys,
      fieldNames: draft.fieldNames,
      extensions: copyFrozen(draft.options.extensions),
      completion: copyFrozen(draft.options.completion),
      resources: copyFrozen(draft.options.resources),
    });
  }

  #assembleOutput(draft: PromptDraft['output'], allowExtraKeys: boolean): PromptMetadata['output'] {
    if (draft === null) return null;
    const extra = allowExtraKeys ? 'ignore' : 'forbid';
    return getOutput(freezePlain(draft.shape), draft.container, { ...this.#options.parse, extra });
  }

  #assembleSection(draft: SectionDraft, outer: Inherited): SectionMetadata {
    const { options } = draft;
    const { searchable = outer.searchable } = options;
    const inner = { ...outer, ...inheritGuardrails(outer, options), searchable };
    const params = freezePlain(draft.params);
    const defaults =
      params === null || options.defaults === undefined ? undefined : parseToInstance(params, options.defaults);
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
      visibility: options.visibility ?? readHookMember(draft.type, 'visibility').method,
      enabled: options.enabled ?? readHookMember(draft.type, 'enabled').method,
      renderBody: options.renderBody ?? readHookMember(draft.type, 'renderBody').method,
      tools: Object.freeze(draft.tools.map((tool) => this.#assembleTool(tool, inner))),
      children: Object.freeze(draft.children.map((child) => this.#assembleSection(child, inner))),
      acceptsOverrides: options.acceptsOverrides !== false,
      searchable,
      completion: copyFrozen(options.completion),
      resources: copyFrozen(options.resources),
    });
  }

  #assembleTool(draft: ToolDraft, outer: Inherited): ToolMetadata {
    const { options, result } = draft;
    const { guardrails, limits } = inheritGuardrails(outer, options);
    const params = freezePlain(draft.params);
    return Object.freeze({
      name: draft.name,
      description: options.description.trim(),
      remoteName: findArgs(draft.owner)?.remoteName,
      sectionPath: draft.sectionPath,
      place: draft.place,
      owner: draft.owner,
      member: draft.defined ? undefined : (draft.args.member ?? 'handle'),
      invoke: createInvoker(draft),
      preview: createPreviewInvoker(options),
      params,
      ...this.#assembleArguments(params, draft.foreignParams),
      result: result !== null && 'kind' in result ? freezePlain(result) : null,
      resultMismatch: draft.resultMismatch,
      returnSchema: options.returnSchema === undefined ? null : freezeSchema(options.returnSchema),
      resultContainer: result !== null && 'kind' in result && result.kind === 'array' ? 'array' : 'object',
      examples: copyFrozen(options.examples),
      acceptsOverrides: draft.acceptsOverrides,
      hints: Object.freeze(copyOwnOptions(options.hints ?? {})),
      retry: options.retry === undefined ? null : Object.freeze({ ...options.retry }),
      onUnknown: options.onUnknown,
      callers: copyFrozen(options.callers ?? everyCaller),
      texts: outer.texts,
      fieldNames: outer.fieldNames,
      timeoutMs: limits.timeoutMs,
      resultLimit: limits.resultLimit,
      guardrails,
      completion: copyFrozen(options.completion),
    });
  }

  #assembleArguments(params: ToolDraft['params'], foreign: ToolDraft['foreignParams']): ToolArguments {
    if (foreign !== null)
      return { parse: foreign.parse, parseExactly: foreign.parse, schema: freezePlain(foreign.schema) };
    if (params === null) return { parse: parseNothing, parseExactly: parseNothing, schema: NO_ARGUMENTS_SCHEMA };
    const { parse: rules } = this.#options;
    const parse = createParser(params, rules);
    const exact = memoize(() => createParser(params, { ...rules, coerce: false }));
    const parseExactly: Parser = rules.coerce === true ? (value) => exact()(value) : parse;
    return { parse, parseExactly, schema: freezePlain(writeClassSchema(params)) };
  }
}

type ToolArguments = Pick<ToolMetadata, 'parse' | 'parseExactly' | 'schema'>;

/** Freezes a copy, because objects of the author must not be frozen. */
function copyFrozen<T>(list: readonly T[] = []): readonly T[] {
  return Object.freeze([...list]);
}

function readSearch(search: PromptOptions['search'] = false): PromptMetadata['search'] {
  if (search === false) return null;
  const { aboveTokens = 0, embed } = search === true ? {} : search;
  return Object.freeze({ aboveTokens, embed });
}

/** Freezes a copy, because objects of the author must not be frozen. */
const freezeSchema = (schema: JsonSchema): JsonSchema => freezePlain(JSON.parse(JSON.stringify(schema)) as JsonSchema);

function createInvoker(draft: ToolDraft): ToolInvoker | null {
  if (draft.defined) {
    const handler = findArgs(draft.owner)?.definedHandler;
    return handler === null || handler === undefined
      ? null
      : (_owner, params, context) => handler(params as never, context);
  }
  const { args, place } = draft;
  const member = args.member ?? 'handle';
  const { slots } = draft.handler as HandlerPlan;
  const kinds = slots.map(({ kind }) => kind).join();
  if (kinds === 'params,context')
    return (owner, params, context) => findHandler(owner, member, place).call(owner, params, context);
  if (kinds === 'params') return (owner, params) => findHandler(owner, member, place).call(owner, params);
  return (owner, params, context) => {
    const values = slots.map((slot) =>
      slot.kind === 'context'
        ? context
        : slot.kind === 'params'
          ? params
          : (params as Readonly<Record<string, unknown>>)[slot.name],
    );
    return findHandler(owner, member, place).apply(owner, values);
  };
}
