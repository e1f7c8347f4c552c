import { className, isInstance, classChain, memberLabel, resolveClass } from '../common/classes.js';
import { MAX_SECTION_LEVELS } from '../common/limits.js';
import { keyFromClassName, describeValue } from '../common/text.js';
import type { Constructor } from '../common/types.js';
import type { Finding } from '../error/Finding.js';
import { findArgs } from '../metadata/args/MetadataArgsStorage.js';
import type { PromptOptions } from '../metadata/args/SectionMetadataArgs.js';
import type { ToolMetadataArgs, ToolOptions, ToolTexts, WireNames } from '../metadata/args/ToolMetadataArgs.js';
import type { ClassShape } from '../metadata/ClassShape.js';
import type { TemplateSource } from '../metadata/Template.js';
import type { ShapeReader } from '../schema/read/ShapeReader.js';
import { compileTemplate, type CompiledTemplate } from './compileTemplate.js';
import { draftOutput, type OutputDraft } from './OutputReader.js';
import { draftTool, type SectionPlace } from './draftTool.js';
import {
  definedSectionKinds,
  definedToolKinds,
  handlerKinds,
  promptKinds,
  sectionKinds,
  toolKinds,
} from './optionKinds.js';
import type { PromptDraft, SectionDraft, ToolDraft } from './PromptDraft.js';
import { createClassFinding } from './rule/createFindings.js';
import { readOptions, type OptionKinds } from '../metadata/args/readOptions.js';

/** The readers of the classes of all prompts. */
interface PromptReaders {
  /** The readers of arguments of the model, by wire names. */
  readonly wire: Readonly<Record<WireNames, ShapeReader>>;
  /** The reader of params of sections. */
  readonly section: ShapeReader;
}

/** Defaults for prompts that do not declare these options. */
interface PromptDefaults {
  readonly fieldNames: WireNames;
  readonly toolTexts?: ToolTexts | undefined;
}

interface Position {
  readonly parent: SectionDraft['path'];
  readonly parentNumber: string;
  readonly depth: number;
  readonly params: ClassShape | null;
  readonly acceptsOverrides: boolean;
  readonly ancestors: readonly Constructor[];
}

/** Collects all declarations below a prompt class. Rules check them later. */
export function collectDraft(
  root: Constructor,
  given: PromptOptions | null,
  readers: PromptReaders,
  ofApplication: PromptDefaults,
): PromptDraft {
  const findings: Finding[] = [];
  const written = { type: root, given, classes: ['output'] };
  const options = checkOptions<PromptOptions>(written, promptKinds, findings) ?? { ns: 'ns', key: 'key', sections: [] };
  const fieldNames = options.fieldNames ?? ofApplication.fieldNames;
  const collector = new Collector(readers.wire[fieldNames], readers.section, findings);
  const sections = collector.sections(root, options.sections, {
    parent: '',
    parentNumber: '',
    depth: 0,
    params: null,
    acceptsOverrides: true,
    ancestors: [],
  });
  const allSections = sections.flatMap((section) => listSubtree(section));
  return {
    type: root,
    options,
    toolTexts: options.toolTexts ?? ofApplication.toolTexts ?? 'portable',
    fieldNames,
    sections,
    allSections,
    allTools: allSections.flatMap(({ tools }) => tools),
    output: options.output === undefined ? null : collector.output(root, options.output),
    findings,
  };
}

/** Lists a section and all sections below it, depth first. */
export function listSubtree<S extends { readonly children: readonly S[] }>(section: S): readonly S[] {
  return [section, ...section.children.flatMap((child) => listSubtree(child))];
}

class Collector {
  readonly #wire: ShapeReader;
  readonly #section: ShapeReader;
  readonly #findings: Finding[];

  constructor(wire: ShapeReader, section: ShapeReader, findings: Finding[]) {
    this.#wire = wire;
    this.#section = section;
    this.#findings = findings;
  }

  output(type: Constructor, reference: unknown): OutputDraft | null {
    const draft = draftOutput(reference, this.#wire);
    if (!('code' in draft)) return draft;
    this.#findings.push(createClassFinding(draft.code, type, draft.problem, { placeholder: 'output' }));
    return null;
  }

  sections(owner: Constructor, references: readonly unknown[], position: Position): readonly SectionDraft[] {
    if (position.depth >= MAX_SECTION_LEVELS && references.length > 0) {
      const problem = `more than ${String(MAX_SECTION_LEVELS)} levels of sections are nested`;
      this.#report('E316', owner, problem, position.parent);
      return [];
    }
    return references.flatMap((reference, index) => {
      const type = this.#resolve(owner, reference, index, 'section');
      if (type === undefined) return [];
      if (position.ancestors.includes(type)) {
        const cycle = [...position.ancestors.slice(position.ancestors.indexOf(type)), type].map(className).join(' → ');
        this.#report('E308', owner, `the sections contain each other: ${cycle}`, position.parent);
        return [];
      }
      const section = this.#draftSection(type, index, position);
      return section === undefined ? [] : [section];
    });
  }

  #draftSection(type: Constructor, index: number, position: Position): SectionDraft | undefined {
    const args = findArgs(type);
    if (args?.section === undefined) {
      this.#report('E301', type, 'it is listed as a section, but has no @Section', position.parent);
      return undefined;
    }
    const written = { type, given: args.section, sectionPath: position.parent, classes: ['params'] };
    const options = checkOptions(written, args.defined ? definedSectionKinds : sectionKinds, this.#findings);
    if (options === undefined) return undefined;
    const key = (options.key ?? keyFromClassName(type.name)).trim().toLowerCase();
    const path = position.parent === '' ? key : `${position.parent}.${key}`;
    const number = `${position.parentNumber}${String(index + 1)}`;
    const params = options.params === undefined ? position.params : this.#readSectionParams(type, options.params, path);
    const acceptsOverrides = options.acceptsOverrides !== false;
    const place = { sectionPath: path, acceptsOverrides };
    return {
      type,
      defined: args.defined,
      options,
      key,
      path,
      number,
      depth: position.depth,
      template: compileIfPresent(options.template),
      summary: compileIfPresent(options.summary),
      params,
      tools: [...this.#collectMethodTools(type, place), ...this.#collectClassTools(type, options.tools ?? [], place)],
      children: this.sections(type, options.children ?? [], {
        parent: path,
        parentNumber: `${number}.`,
        depth: position.depth + 1,
        params,
        acceptsOverrides,
        ancestors: [...position.ancestors, type],
      }),
    };
  }

  #readSectionParams(owner: Constructor, reference: unknown, path: string): ClassShape | null {
    const type = resolveClass(reference);
    if (type === undefined) {
      this.#report('E307', owner, 'the class in params was undefined when it was read', path);
      return null;
    }
    return this.#section.read(type);
  }

  /** Collects the methods with `@Tool`, inherited ones first. A declaration of a subclass replaces its parent's. */
  #collectMethodTools(type: Constructor, section: SectionPlace): readonly ToolDraft[] {
    const declared = new Map<string | symbol, { readonly args: ToolMetadataArgs; readonly by: Constructor }>();
    for (const owner of [...classChain(type)].reverse()) {
      for (const args of findArgs(owner)?.tools ?? []) {
        if (args.member !== undefined) declared.set(args.member, { args, by: owner });
      }
    }
    return [...declared.values()].flatMap(({ args, by }) => this.#draftTool(type, args, by, section));
  }

  /** Collects the classes with `@Tool`. A subclass keeps its parent's declaration unless it has its own. */
  #collectClassTools(owner: Constructor, references: readonly unknown[], section: SectionPlace): readonly ToolDraft[] {
    return references.flatMap((reference, index) => {
      const type = this.#resolve(owner, reference, index, 'tool');
      if (type === undefined) return [];
      for (const declaredBy of classChain(type)) {
        const args = findArgs(declaredBy)?.tools.find(({ place }) => place === 'class');
        if (args !== undefined) return this.#draftTool(type, args, declaredBy, section);
      }
      this.#report('E301', type, 'it is listed as a tool, but has no @Tool', section.sectionPath);
      return [];
    });
  }

  #draftTool(
    owner: Constructor,
    args: ToolMetadataArgs,
    declaredBy: Constructor,
    section: SectionPlace,
  ): readonly ToolDraft[] {
    const own = findArgs(owner);
    const place = { type: owner, member: args.member, sectionPath: section.sectionPath };
    const written = { ...place, given: args.options, classes: ['params', 'result'] };
    const kinds = own?.defined === true ? definedToolKinds : toolKinds;
    const options: ToolOptions | undefined = checkOptions(written, kinds, this.#findings);
    if (options === undefined) return [];
    if (own?.defined === true)
      checkOptions({ ...place, given: { handler: own.definedHandler }, classes: [] }, handlerKinds, this.#findings);
    return [draftTool({ args, options, owner, declaredBy }, section, this.#wire)];
  }

  #resolve(owner: Constructor, reference: unknown, index: number, what: string): Constructor | undefined {
    const type = resolveClass(reference);
    if (type !== undefined) return type;
    const entry = `${what} ${String(index)} in its list`;
    if (reference === undefined || reference === null || typeof reference === 'function')
      this.#report('E307', owner, `${entry} was undefined when it was read`, undefined);
    else this.#report('E312', owner, `${entry}: expected a class, got ${describeReference(reference)}`, undefined);
    return undefined;
  }

  #report(code: Finding['code'], type: Constructor, problem: string, sectionPath: string | undefined): void {
    this.#findings.push(
      createClassFinding(code, type, problem, { sectionPath: sectionPath === '' ? undefined : sectionPath }),
    );
  }
}

/** Options as declared, and their place. */
interface Written {
  readonly type: Constructor;
  readonly member?: string | symbol | undefined;
  /** Empty above all sections. */
  readonly sectionPath?: string | undefined;
  readonly given: unknown;
  /**
   * Options of a decorator that hold a class. Decorators take literals, so such an option without a value names a class
   * that a circular import had not loaded yet. Functions of the host may leave options undefined on purpose.
   */
  readonly classes: readonly string[];
}

/** Returns the checked options with defaults for faulty ones, and adds a finding for each fault. */
function checkOptions<T extends object>(written: Written, kinds: OptionKinds<T>, findings: Finding[]): T | undefined {
  const { type, member, sectionPath, given, classes } = written;
  const details = {
    place: memberLabel(type, member),
    member: member === undefined ? undefined : String(member),
    sectionPath: sectionPath === '' ? undefined : sectionPath,
  };
  const report = (code: Finding['code'], problem: string, placeholder: string | undefined): void =>
    void findings.push(createClassFinding(code, type, problem, { ...details, placeholder }));
  const { options, faults } = readOptions<T>(given, kinds);
  for (const { option, problem } of faults) report('E312', problem, option);
  if (options === undefined || findArgs(type)?.defined === true) return options;
  for (const name of classes)
    if (Object.hasOwn(options, name) && options[name as keyof T] === undefined)
      report('E307', `the class in ${name} was undefined when it was read`, name);
  return options;
}

function compileIfPresent(source: TemplateSource<never> | undefined): CompiledTemplate | undefined {
  return source === undefined ? undefined : compileTemplate(source);
}

/** Describes a value for a message, and names the class of an instance. */
function describeReference(value: unknown): string {
  const type: unknown = isInstance(value, Object) ? value.constructor : undefined;
  return type === undefined || type === Object || Array.isArray(value)
    ? describeValue(value)
    : `an instance of ${className(type)}`;
}
