import { className, isInstance, classChain, memberLabel, resolveClass } from '../common/classes.js';
import { MAX_SECTION_LEVELS } from '../common/limits.js';
import { keyFromClassName, describeValue } from '../common/text.js';
import type { Constructor } from '../common/types.js';
import { createFinding, type Finding } from '../error/Finding.js';
import { findArgs } from '../metadata/args/MetadataArgsStorage.js';
import type { PromptOptions } from '../metadata/args/SectionMetadataArgs.js';
import type { ToolMetadataArgs, ToolOptions, ToolTexts, WireNames } from '../metadata/args/ToolMetadataArgs.js';
import type { ClassShape } from '../metadata/ClassShape.js';
import type { TemplateSource } from '../metadata/Template.js';
import type { ShapeReader } from '../schema/read/ShapeReader.js';
import { compileTemplate, type CompiledTemplate } from './compileTemplate.js';
import { draftOutput, type OutputDraft } from './draftOutput.js';
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
import { readOptions, type OptionKinds } from '../metadata/args/readOptions.js';
import { findLostOptions } from './findLostOptions.js';

/** The two readers of classes: one for arguments of the model, one for params of sections. */
interface ShapeReaders {
  readonly wire: ShapeReader;
  readonly section: ShapeReader;
}

/** The readers of all prompts, by wire names. */
interface PromptReaders {
  readonly wire: Readonly<Record<WireNames, ShapeReader>>;
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
  const place = className(root);
  const options = checkOptions<PromptOptions>({ type: root, given, place }, promptKinds, findings) ?? {
    ns: 'ns',
    key: 'key',
    sections: [],
  };
  const fieldNames = options.fieldNames ?? ofApplication.fieldNames;
  const collector = new Collector({ wire: readers.wire[fieldNames], section: readers.section }, findings);
  if (findArgs(root)?.defined !== true) findings.push(...findLostOptions(options, ['output'], { type: root, place }));
  const sections = collector.sections(root, options.sections, {
    parent: '',
    parentNumber: '',
    depth: 0,
    params: null,
    acceptsOverrides: true,
    ancestors: [],
  });
  const allSections = sections.flatMap(listSubtree);
  return {
    type: root,
    options,
    toolTexts: options.toolTexts ?? ofApplication.toolTexts ?? 'portable',
    fieldNames,
    sections,
    allSections,
    allTools: allSections.flatMap(({ tools }) => tools),
    output: options.output === undefined ? null : collector.output(root, options.output),
    findings: collector.findings,
  };
}

function listSubtree(section: SectionDraft): readonly SectionDraft[] {
  return [section, ...section.children.flatMap(listSubtree)];
}

class Collector {
  readonly findings: Finding[];
  readonly #readers: ShapeReaders;

  constructor(readers: ShapeReaders, findings: Finding[]) {
    this.#readers = readers;
    this.findings = findings;
  }

  output(owner: Constructor, reference: unknown): OutputDraft | null {
    const draft = draftOutput(reference, this.#readers.wire);
    if (!('code' in draft)) return draft;
    const place = className(owner);
    this.findings.push(createFinding(draft.code, draft.problem, { place, className: place, placeholder: 'output' }));
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
    const written = { type, given: args.section, place: className(type), sectionPath: position.parent };
    const options = checkOptions(written, args.defined ? definedSectionKinds : sectionKinds, this.findings);
    if (options === undefined) return undefined;
    if (!args.defined) this.findings.push(...findLostOptions(options, ['params'], written));
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
    return this.#readers.section.read(type);
  }

  /**
   * Collects the methods with `@Tool`, inherited ones first. A declaration of a subclass replaces its parent's.
   */
  #collectMethodTools(type: Constructor, section: SectionPlace): readonly ToolDraft[] {
    const declared = new Map<string | symbol, { readonly args: ToolMetadataArgs; readonly by: Constructor }>();
    for (const owner of [...classChain(type)].reverse()) {
      for (const args of findArgs(owner)?.tools ?? []) {
        if (args.member !== undefined) declared.set(args.member, { args, by: owner });
      }
    }
    return [...declared.values()].flatMap(({ args, by }) => this.#draftTool(type, args, by, section));
  }

  /**
   * Collects the classes with `@Tool` on themselves or an ancestor: a subclass keeps its parent's declaration unless it
   * has its own.
   */
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
    const place = memberLabel(owner, args.member);
    const member = args.member === undefined ? undefined : String(args.member);
    const written = { type: owner, given: args.options, place, member, sectionPath: section.sectionPath };
    const options: ToolOptions | undefined = checkOptions(
      written,
      own?.defined === true ? definedToolKinds : toolKinds,
      this.findings,
    );
    if (options === undefined) return [];
    if (own?.defined === true)
      checkOptions({ ...written, given: { handler: own.definedHandler } }, handlerKinds, this.findings);
    else this.findings.push(...findLostOptions(options, ['params', 'result'], written));
    return [draftTool({ args, options, owner, declaredBy }, section, this.#readers.wire)];
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
    this.findings.push(
      createFinding(code, problem, {
        place: className(type),
        className: className(type),
        sectionPath: sectionPath === '' ? undefined : sectionPath,
      }),
    );
  }
}

/** Options as declared, and their place. */
interface Written {
  readonly type: Constructor;
  readonly given: unknown;
  readonly place: string;
  readonly member?: string | undefined;
  readonly sectionPath?: string | undefined;
}

/** Returns the checked options with defaults for faulty ones, and adds a finding for each fault. */
function checkOptions<T extends object>(written: Written, kinds: OptionKinds<T>, findings: Finding[]): T | undefined {
  const { type, given, place, member, sectionPath } = written;
  const { options, faults } = readOptions<T>(given, kinds);
  for (const { option, problem } of faults) {
    const details = { className: className(type), member, sectionPath: sectionPath === '' ? undefined : sectionPath };
    findings.push(createFinding('E312', problem, { ...details, place, placeholder: option }));
  }
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
