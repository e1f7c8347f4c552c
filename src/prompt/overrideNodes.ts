import type { SectionMetadata } from '../metadata/PromptMetadata.js';
import type { Match } from '../override/matchOverrides.js';
import { overrideSection } from '../override/overrideSection.js';
import { overrideTool } from '../override/overrideTool.js';
import { renderExamples, RenderedTool } from './RenderedTool.js';
import type { SectionNode } from './SectionNode.js';
import { compileTexts } from './SectionText.js';

/**
 * Returns the tree with overridden texts. Nodes and tools without overrides stay the same objects
 * (docs/contract.md, 13).
 *
 * @throws PromptRenderError E523, PromptValidationError E527
 */
export function overrideNodes(nodes: readonly SectionNode[], match: Match): readonly SectionNode[] {
  return keepSame(
    nodes,
    nodes.map((node) => overrideNode(node, match)),
  );
}

function overrideNode(node: SectionNode, match: Match): SectionNode {
  const texts = match.sections.get(node.metadata.path);
  const tools = keepSame(
    node.tools,
    node.tools.map((tool) => overrideNodeTool(tool, match)),
  );
  const children = overrideNodes(node.children, match);
  if (texts === undefined && tools === node.tools && children === node.children) return node;
  const metadata: SectionMetadata = texts === undefined ? node.metadata : overrideSection(node.metadata, texts);
  const written = texts === undefined ? {} : compileTexts(metadata);
  const examples = tools === node.tools ? node.examples : renderExamples(tools);
  return Object.freeze({ ...node, ...written, metadata, tools, examples, children });
}

function overrideNodeTool(tool: RenderedTool, { tools }: Match): RenderedTool {
  const override = tools.get(tool.name);
  return override === undefined
    ? tool
    : Object.freeze(new RenderedTool(overrideTool(tool.metadata, override), tool.owner, tool.container));
}

function keepSame<T>(before: readonly T[], after: readonly T[]): readonly T[] {
  return after.every((item, index) => item === before[index]) ? before : Object.freeze(after);
}
