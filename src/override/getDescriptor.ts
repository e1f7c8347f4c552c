import { sha256 } from '../common/builtins.js';
import { getOrCreate } from '../common/memoize.js';
import type { PromptMetadata, SectionMetadata } from '../metadata/PromptMetadata.js';
import type { ToolMetadata } from '../metadata/ToolMetadata.js';

/** A section with a body or summary that may be overridden. */
export interface SectionDescriptor {
  readonly path: string;
  readonly number: string;
  /** SHA-256 of the template, in hexadecimal; omitted if there is none, or if a hook writes the body. */
  readonly bodyHash?: string | undefined;
  /** SHA-256 of the summary's template; omitted if there is none. */
  readonly summaryHash?: string | undefined;
}

/** A tool with a description, parameter descriptions and examples that may be overridden. */
export interface ToolDescriptor {
  readonly name: string;
  readonly sectionPath: string;
  /** SHA-256 of name, description, schema and examples, in hexadecimal. */
  readonly contractHash: string;
}

/**
 * The sections and tools of a prompt that may be overridden, with hashes of their declared texts. An override with a different
 * hash is stale (docs/contract.md, 13).
 */
export interface PromptDescriptor {
  readonly ns: string;
  readonly key: string;
  /** In tree order. */
  readonly sections: readonly SectionDescriptor[];
  readonly tools: readonly ToolDescriptor[];
}

const known = new WeakMap<PromptMetadata, PromptDescriptor>();

/** Returns the descriptor of a prompt as declared; the same object each time. */
export function getDescriptor(prompt: PromptMetadata): PromptDescriptor {
  return getOrCreate(known, prompt, describePrompt);
}

function describePrompt({ ns, key, allSections }: PromptMetadata): PromptDescriptor {
  return Object.freeze({
    ns,
    key,
    sections: Object.freeze(allSections.flatMap(describeSection)),
    tools: Object.freeze(allSections.flatMap(({ tools }) => tools).flatMap(describeTool)),
  });
}

/** Describes a section; leaves out bodies that a hook writes, since they have no text to replace. */
function describeSection(section: SectionMetadata): readonly SectionDescriptor[] {
  const { path, number, template, renderBody, summary, acceptsOverrides } = section;
  const body = renderBody === undefined ? template : undefined;
  if (!acceptsOverrides || (body === undefined && summary === undefined)) return [];
  return [
    Object.freeze({
      path,
      number,
      ...(body === undefined ? {} : { bodyHash: hashText(body.parts) }),
      ...(summary === undefined ? {} : { summaryHash: hashText(summary.parts) }),
    }),
  ];
}

function describeTool(tool: ToolMetadata): readonly ToolDescriptor[] {
  const { name, sectionPath, acceptsOverrides } = tool;
  return acceptsOverrides ? [Object.freeze({ name, sectionPath, contractHash: hashContract(tool) })] : [];
}

/** Hashes (SHA-256) the parts of a tool that the model reads: name, description, schema and examples. */
export function hashContract({ name, description, schema, examples }: ToolMetadata): string {
  return hashText([name, description, schema, examples]);
}

function hashText(content: unknown): string {
  const text = JSON.stringify(content, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  return sha256(text);
}
