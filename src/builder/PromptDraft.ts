import type { Constructor } from '../common/types.js';
import type { Fault, Finding } from '../error/Finding.js';
import type { PromptOptions, SectionOptions } from '../metadata/args/SectionMetadataArgs.js';
import type { ToolMetadataArgs, ToolOptions, ToolTexts, WireNames } from '../metadata/args/ToolMetadataArgs.js';
import type { TypeShape } from '../metadata/ClassShape.js';
import type { SectionMetadata } from '../metadata/PromptMetadata.js';
import type { ToolMetadata } from '../metadata/ToolMetadata.js';
import type { UnknownType } from '../schema/read/FieldTypeReader.js';
import type { ForeignParams } from '../schema/standard/readForeignSchema.js';
import type { CompiledTemplate } from './compileTemplate.js';
import type { OutputDraft } from './OutputReader.js';
import type { HandlerPlan, HandlerFault } from './planHandler.js';

/** A tool as collected, before any check. */
export interface ToolDraft extends Pick<
  ToolMetadata,
  'name' | 'owner' | 'place' | 'sectionPath' | 'params' | 'resultMismatch' | 'acceptsOverrides'
> {
  readonly args: ToolMetadataArgs;
  readonly options: ToolOptions;
  /** True for a class created by `defineTool`. */
  readonly defined: boolean;
  readonly member: string | undefined;
  readonly handler: HandlerPlan | HandlerFault;
  readonly foreignParams: ForeignParams | null;
  readonly result: TypeShape | UnknownType | Fault | null;
}

export interface SectionDraft extends Pick<
  SectionMetadata,
  'type' | 'defined' | 'key' | 'path' | 'number' | 'depth' | 'params'
> {
  readonly options: SectionOptions;
  readonly template: CompiledTemplate | undefined;
  readonly summary: CompiledTemplate | undefined;
  readonly tools: readonly ToolDraft[];
  readonly children: readonly SectionDraft[];
}

/** A prompt as collected, with findings for everything that could not be collected. */
export interface PromptDraft {
  readonly type: Constructor;
  readonly options: PromptOptions;
  readonly toolTexts: ToolTexts;
  readonly fieldNames: WireNames;
  readonly sections: readonly SectionDraft[];
  /** Every section, depth first. */
  readonly allSections: readonly SectionDraft[];
  readonly allTools: readonly ToolDraft[];
  /** Null without an output, and if the output is not a class. */
  readonly output: OutputDraft | null;
  /** Findings about undefined, undeclared and self-containing classes, and about options of the wrong type. */
  readonly findings: readonly Finding[];
}

/** Lists the classes that a container builds for a prompt, each once: sections and class tools. */
export function listBuiltClasses({ allSections, allTools }: PromptDraft): readonly Constructor[] {
  return [...new Set([...allSections.map(({ type }) => type), ...allTools.map(({ owner }) => owner)])];
}

/** Returns the faults of a draft. */
export type Rule = (draft: PromptDraft) => readonly Finding[];
