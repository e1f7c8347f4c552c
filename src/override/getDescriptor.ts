import { sha256 } from '../common/builtins.js';
import type { PromptMetadata, SectionMetadata } from '../metadata/PromptMetadata.js';
import type { ToolMetadata } from '../metadata/ToolMetadata.js';

/** A section whose body or summary may be overridden. */
export interface SectionDescriptor {
  readonly path: string;
  readonly number: string;
  /** SHA-256 of the template, in hexadecimal digits; left out if there is none, or if a hook writes the body. */
  readonly bodyHash?: string | undefined;
  /** SHA-256 of the summary's template; left out if there is none. */
  readonly summaryHash?: string | undefined;
}

/** A tool whose description, parameter descriptions and examples may be overridden. */
export interface ToolDescriptor {
  readonly name: string;
  readonly sectionPath: string;
  /** SHA-256 of name, description, schema and examples, in hexadecimal digits. */
  readonly contractHash: string;
}

/**
 * The sections and tools of a prompt that may be overridden, with hashes of what they declare. An override with another hash is
 * stale (docs/contract.md, 13).
 */
export interface PromptDescriptor {
  readonly ns: string;
  readonly key: string;
  /** In the order of the tree. */
  readonly sections: readonly SectionDescriptor[];
  readonly tools: readonly ToolDescriptor[];
}

const known = new WeakMap<PromptMetadata, PromptDescriptor>();

/** Returns the descriptor of a prompt as it is declared; the same object each time. */
export function getDescriptor(prompt: PromptMetadata): PromptDescriptor {
  const found = known.get(prompt);
  if (found !== undefined) return found;
  const descriptor = Object.freeze({
    ns: prompt.ns,
    key: prompt.key,
    sections: Object.freeze(prompt.allSections.flatMap(describeSection)),
    tools: Object.freeze(prompt.allSections.flatMap(({ tools }) => tools).flatMap(describeTool)),
  });
  known.set(prompt, descriptor);
  return descriptor;
}

/** Leaves out bodies that a hook writes: they have no text that could be replaced. */
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

/** SHA-256 of what a tool declares to the model: name, description, schema and examples. */
export function hashContract({ name, description, schema, examples }: ToolMetadata): string {
  return hashText([name, description, schema, examples]);
}

function hashText(content: unknown): string {
  const text = JSON.stringify(content, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  return sha256(text);
}
