import { className, isClass, lineage, memberLabel, resolveClass } from '../common/classes.js';
import { keyFromClassName, snakeCase } from '../common/naming.js';
import type { Constructor } from '../common/types.js';
import { finding, type Finding } from '../error/Finding.js';
import { knownArgs } from '../metadata/args/MetadataArgsStorage.js';
import type { PromptOptions } from '../metadata/args/SectionMetadataArgs.js';
import type { ToolMetadataArgs, ToolOptions } from '../metadata/args/ToolMetadataArgs.js';
import type { ClassShape } from '../metadata/ClassShape.js';
import type { ShapeReader } from '../schema/ShapeReader.js';
import { isStandardSchema } from '../schema/standard/isStandardSchema.js';
import { readForeignSchema } from '../schema/standard/readForeignSchema.js';
import { compileTemplate } from './compileTemplate.js';
import { planHandler, type GivenParams, type HandlerFault, type HandlerPlan } from './planHandler.js';
import type { PromptDraft, SectionDraft, ToolDraft } from './PromptDraft.js';

/** The two ways in which classes are read: as what the model sends, and as params of sections. */
export interface ShapeReaders {
  readonly wire: ShapeReader;
  readonly section: ShapeReader;
}

interface Position {
  readonly parent: SectionDraft['path'];
  readonly parentNumber: string;
  readonly depth: number;
  readonly params: ClassShape | null;
  readonly acceptsOverrides: boolean;
  readonly ancestors: readonly Constructor[];
}

/** Gathers everything that the decorators wrote below a prompt class; judges nothing that a rule can judge. */
export function collect(root: Constructor, options: PromptOptions, readers: ShapeReaders): PromptDraft {
  const collector = new Collector(readers);
  const sections = collector.sections(root, options.sections, {
    parent: '',
    parentNumber: '',
    depth: 0,
    params: null,
    acceptsOverrides: true,
    ancestors: [],
  });
  const allSections = sections.flatMap(withDescendants);
  return {
    type: root,
    options,
    sections,
    allSections,
    allTools: allSections.flatMap(({ tools }) => tools),
    findings: collector.findings,
  };
}

function withDescendants(section: SectionDraft): readonly SectionDraft[] {
  return [section, ...section.children.flatMap(withDescendants)];
}

class Collector {
  readonly findings: Finding[] = [];
  readonly #readers: ShapeReaders;

  constructor(readers: ShapeReaders) {
    this.#readers = readers;
  }

  sections(owner: Constructor, references: readonly unknown[], position: Position): readonly SectionDraft[] {
    return references.flatMap((reference, index) => {
      const type = this.#resolve(owner, reference, index, 'section');
      if (type === undefined) return [];
      if (position.ancestors.includes(type)) {
        const circle = [...position.ancestors.slice(position.ancestors.indexOf(type)), type].map(className).join(' → ');
        this.#report('E308', owner, `the sections contain each other: ${circle}`, position.parent);
        return [];
      }
      const section = this.#section(type, index, position);
      return section === undefined ? [] : [section];
    });
  }

  #section(type: Constructor, index: number, position: Position): SectionDraft | undefined {
    const args = knownArgs(type);
    const options = args?.section;
    if (args === undefined || options === undefined) {
      this.#report('E301', type, 'it is listed as a section, but carries no @Section', position.parent);
      return undefined;
    }
    const key = (options.key ?? keyFromClassName(type.name)).trim().toLowerCase();
    const path = position.parent === '' ? key : `${position.parent}.${key}`;
    const number = `${position.parentNumber}${String(index + 1)}`;
    const params = options.params === undefined ? position.params : this.#sectionParams(type, options.params, path);
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
      template: options.template === undefined ? undefined : compileTemplate(options.template),
      params,
      tools: [...this.#methodTools(type, place), ...this.#classTools(type, options.tools ?? [], place)],
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

  #sectionParams(owner: Constructor, reference: unknown, path: string): ClassShape | null {
    const type = resolveClass(reference);
    if (type === undefined) {
      this.#report('E307', owner, 'the class in params was undefined when it was read', path);
      return null;
    }
    return this.#readers.section.read(type);
  }

  /** Methods with `@Tool`, inherited ones first; a subclass's own declaration replaces its parent's. */
  #methodTools(type: Constructor, section: SectionPlace): readonly ToolDraft[] {
    const declared = new Map<string | symbol, { readonly args: ToolMetadataArgs; readonly by: Constructor }>();
    for (const owner of [...lineage(type)].reverse()) {
      for (const args of knownArgs(owner)?.tools ?? []) {
        if (args.member !== undefined) declared.set(args.member, { args, by: owner });
      }
    }
    return [...declared.values()].map(({ args, by }) => this.#tool(type, args, by, section));
  }

  #classTools(owner: Constructor, references: readonly unknown[], section: SectionPlace): readonly ToolDraft[] {
    return references.flatMap((reference, index) => {
      const type = this.#resolve(owner, reference, index, 'tool');
      const args = type === undefined ? undefined : knownArgs(type)?.tools.find(({ place }) => place === 'class');
      if (type === undefined) return [];
      if (args === undefined) {
        this.#report('E301', type, 'it is listed as a tool, but carries no @Tool', section.sectionPath);
        return [];
      }
      return [this.#tool(type, args, type, section)];
    });
  }

  #tool(owner: Constructor, args: ToolMetadataArgs, declaredBy: Constructor, section: SectionPlace): ToolDraft {
    const { options } = args;
    const member = args.member ?? 'handle';
    const defined = knownArgs(owner)?.defined === true;
    const given = givenParams(options.params);
    const plan: HandlerPlan | HandlerFault =
      given !== undefined && 'code' in given
        ? given
        : defined
          ? { slots: [{ kind: 'params' }, { kind: 'context' }], params: given }
          : planHandler(declaredBy, member, given);
    const params = 'code' in plan ? given : plan.params;
    const foreign = isStandardSchema(params) ? readForeignSchema(params) : undefined;
    return {
      args,
      options,
      owner,
      defined,
      place: memberLabel(owner, args.member),
      member: args.member === undefined ? undefined : String(args.member),
      sectionPath: section.sectionPath,
      name: options.name ?? snakeCase(args.member === undefined ? owner.name : String(args.member)),
      handler: foreign !== undefined && 'code' in foreign ? foreign : plan,
      params: isClass(params) && foreign === undefined ? this.#readers.wire.read(params) : null,
      foreignParams: foreign === undefined || 'code' in foreign ? null : foreign,
      result: options.result === undefined ? null : this.#readers.wire.types.ofReference(options.result),
      acceptsOverrides: section.acceptsOverrides && options.acceptsOverrides !== false,
    };
  }

  #resolve(owner: Constructor, reference: unknown, index: number, what: string): Constructor | undefined {
    const type = resolveClass(reference);
    if (type === undefined)
      this.#report('E307', owner, `${what} ${String(index)} in its list was undefined when it was read`, undefined);
    return type;
  }

  #report(code: Finding['code'], type: Constructor, problem: string, sectionPath: string | undefined): void {
    this.findings.push(
      finding(code, problem, {
        place: className(type),
        className: className(type),
        sectionPath: sectionPath === '' ? undefined : sectionPath,
      }),
    );
  }
}

/** What `params` names; a schema is asked for first, since arktype's are functions. */
function givenParams(params: ToolOptions['params']): GivenParams | HandlerFault | undefined {
  if (params === undefined || isStandardSchema(params)) return params;
  if (typeof params === 'object') return { code: 'E307', problem: 'params is neither a class nor a Standard Schema' };
  return resolveClass(params) ?? { code: 'E307', problem: 'the class in params was undefined when it was read' };
}

interface SectionPlace {
  readonly sectionPath: string;
  readonly acceptsOverrides: boolean;
}
