import { createHandlerFinding } from '../builder/findHandler.js';
import { addInstanceHooks } from '../builder/readHooks.js';
import { className } from '../common/classes.js';
import { isObject } from '../common/guards.js';
import { flattenText, messageOf } from '../common/text.js';
import type { Constructor } from '../common/types.js';
import type { Finding } from '../error/Finding.js';
import { ContainerError } from '../error/infrastructureErrors.js';
import { PromptValidationError } from '../error/PromptError.js';
import { ToolwrightError } from '../error/ToolwrightError.js';
import type { ContainerAdapter } from '../interface/ContainerAdapter.js';
import { findArgs } from '../metadata/args/MetadataArgsStorage.js';
import type { PromptMetadata, SectionMetadata } from '../metadata/PromptMetadata.js';
import { renderExamples, RenderedTool } from '../prompt/RenderedTool.js';
import { GAP, type SectionNode } from '../prompt/SectionNode.js';
import { compileTexts } from '../prompt/SectionText.js';
import type { HeadingStyle } from '../metadata/args/SectionMetadataArgs.js';

/**
 * Builds every section and tool class of a prompt once, through the container, and assembles the tree of nodes.
 *
 * @throws ContainerError E401, E402; PromptValidationError E114, E314
 */
export async function buildNodes(prompt: PromptMetadata, container: ContainerAdapter): Promise<readonly SectionNode[]> {
  const nodes: SectionNode[] = [];
  for (const section of prompt.sections) nodes.push(await buildNode(section, prompt, container));
  const [first, ...others] = nodes.flatMap(checkHandlers);
  if (first !== undefined) throw new PromptValidationError([first, ...others]);
  return Object.freeze(nodes);
}

function checkHandlers({ tools, children }: SectionNode): readonly Finding[] {
  const own = tools.flatMap(({ metadata, owner }) => createHandlerFinding(metadata, owner) ?? []);
  return [...own, ...children.flatMap(checkHandlers)];
}

async function buildNode(
  section: SectionMetadata,
  prompt: PromptMetadata,
  container: ContainerAdapter,
): Promise<SectionNode> {
  const instance = await getInstance(section.type, container);
  const tools: RenderedTool[] = [];
  for (const tool of section.tools) {
    const owner = tool.owner === section.type ? instance : await getInstance(tool.owner, container);
    tools.push(Object.freeze(new RenderedTool(tool, owner, container)));
  }
  const children: SectionNode[] = [];
  for (const child of section.children) children.push(await buildNode(child, prompt, container));
  return Object.freeze({
    metadata: addInstanceHooks(section, instance),
    instance,
    heading: flattenText(`${createHeading(section, prompt.heading)}${GAP}`),
    ...compileTexts(section),
    examples: renderExamples(tools),
    tools: Object.freeze(tools),
    children: Object.freeze(children),
  });
}

async function getInstance(type: Constructor, container: ContainerAdapter): Promise<object> {
  // Classes created by defineTool, defineSection and definePrompt have no constructor parameters and are not registered
  // in any container.
  if (findArgs(type)?.defined === true) return new type();
  const details = { code: 'E401', place: className(type) } as const;
  let built: unknown;
  try {
    built = await container.get(type);
  } catch (cause) {
    if (cause instanceof ToolwrightError) throw cause;
    throw new ContainerError(`the container threw: ${messageOf(cause)}`, { ...details, cause });
  }
  if (isObject(built)) return built;
  const found = built === null ? 'null' : typeof built;
  throw new ContainerError(`the container returned ${found}, not an instance`, details);
}

/** Returns the heading line of a section in the prompt's style (docs/contract.md, 4). */
function createHeading(section: SectionMetadata, style: HeadingStyle): string {
  const { number, title, path, depth } = section;
  if (typeof style === 'function') return style({ number, title, path, depth });
  const marks = '#'.repeat(depth + 2);
  switch (style) {
    case 'numbered-path':
      return `${marks} ${number}. ${title} (${path})`;
    case 'numbered':
      return `${marks} ${number} ${title}`;
    case 'plain':
      return `${marks} ${title}`;
  }
}
