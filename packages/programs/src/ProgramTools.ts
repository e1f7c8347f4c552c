import type { RenderedPrompt, RenderedTool } from 'toolwright';
import type { ToolMetadata } from 'toolwright/types';
import { listIdentifiers, listRemoteNames } from './declare/programNames.js';

/** The tools that programs may call, by every name under which a program finds them. */
export class ProgramTools implements Iterable<RenderedTool> {
  /** Always the same array, so that it can be the key of a cache. */
  readonly metadata: readonly ToolMetadata[];
  readonly #tools: readonly RenderedTool[];
  readonly #byName = new Map<string, RenderedTool>();
  readonly #remoteNames = new Set<string>();

  /** @throws ProgramError if two tools have the same name in programs, or a tool has a name that is reserved there */
  constructor(tools: readonly RenderedTool[]) {
    this.#tools = tools;
    this.metadata = Object.freeze(tools.map(({ metadata }) => metadata));
    const identifiers = listIdentifiers(tools.map(({ name }) => name));
    for (const tool of tools) {
      this.#byName.set(identifiers.get(tool.name) ?? tool.name, tool);
      this.#byName.set(tool.name, tool);
    }
    for (const [further, name] of listRemoteNames(this.metadata)) {
      const tool = this.#byName.get(name);
      if (tool === undefined) continue;
      this.#byName.set(further, tool);
      this.#remoteNames.add(further);
    }
  }

  /** Returns the tools of a rendering that programs may call; the same object for the same rendering. */
  static of(rendered: RenderedPrompt): ProgramTools {
    const known = ofRenderings.get(rendered);
    if (known !== undefined) return known;
    const all = [...rendered.tools, ...rendered.hidden];
    const tools = new ProgramTools(all.filter(({ metadata }) => isForPrograms(metadata)));
    ofRenderings.set(rendered, tools);
    return tools;
  }

  get size(): number {
    return this.#tools.length;
  }

  /** Returns the names on the wire, their identifiers where they differ, and the remote names of tools. */
  get names(): readonly string[] {
    return [...this.#byName.keys()];
  }

  find(name: string): RenderedTool | undefined {
    return this.#byName.get(name);
  }

  /** Returns the name under which a call is logged: the name on the wire, or the remote name if the program used that. */
  loggedName(tool: RenderedTool, spelling: string): string {
    return this.#remoteNames.has(spelling) ? spelling : tool.name;
  }

  [Symbol.iterator](): Iterator<RenderedTool> {
    return this.#tools[Symbol.iterator]();
  }
}

const ofRenderings = new WeakMap<RenderedPrompt, ProgramTools>();

/** Returns true if programs may call a tool; false for tools without a section, which control the conversation (`open_sections`). */
export function isForPrograms({ callers, sectionPath }: ToolMetadata): boolean {
  return callers.includes('program') && sectionPath !== '';
}
