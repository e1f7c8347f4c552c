import type { ServerNotification } from '@modelcontextprotocol/sdk/types.js';
import type { BoundPrompt, RenderedPrompt, RenderedTool, Session } from 'toolwright';
import type { McpClient, McpPeer } from '../McpClient.js';
import { type ConnectionServices, listChanges, ServedPrompt } from '../ServedPrompt.js';
import type { ListChanges } from './ListChanges.js';

/**
 * The prompt for one request over HTTP in a revision without sessions. Nothing remains of an opened section, so the tools of
 * summarised sections are offered from the start.
 */
export class StatelessPrompt extends ServedPrompt {
  readonly #changes: ListChanges;

  constructor(
    services: ConnectionServices,
    peer: McpPeer,
    prompt: BoundPrompt,
    session: Session,
    changes: ListChanges,
    calls: Set<Promise<unknown>>,
  ) {
    super(services, peer, prompt, session, calls);
    this.#changes = changes;
  }

  /** Renders the prompt with every section in full if only then it has the tool. */
  override async renderForCall(name: string, client: McpClient): Promise<RenderedPrompt> {
    const rendered = await this.renderPrompt(client);
    return rendered.tool(name) === undefined ? this.#openSections(rendered) : rendered;
  }

  override async listTools(rendered: RenderedPrompt): Promise<readonly RenderedTool[]> {
    if (!hasSummaries(rendered)) return rendered.tools;
    const { tools } = await this.#openSections(rendered);
    return [...rendered.tools, ...tools.filter(({ name }) => rendered.tool(name) === undefined)];
  }

  override show(): void {
    // The next request is answered by another instance, perhaps in another process.
  }

  override async notifyChanges(
    _send: (notification: ServerNotification) => Promise<void>,
    before: RenderedPrompt,
  ): Promise<void> {
    if (!this.#changes.areHeard) return;
    const now = await this.renderPrompt();
    for (const change of listChanges(this.recordLists(before), this.recordLists(now))) this.#changes.announce(change);
  }

  /** Opens summarised sections until none is left: an opened section may have summarised children. */
  async #openSections(rendered: RenderedPrompt): Promise<RenderedPrompt> {
    const opened: string[] = [];
    let current = rendered;
    while (hasSummaries(current)) {
      opened.push(...current.sections.filter(({ visibility }) => visibility === 'summary').map(({ path }) => path));
      current = await rendered.anew(this.session, opened);
    }
    return current;
  }
}

function hasSummaries({ sections }: RenderedPrompt): boolean {
  return sections.some(({ visibility }) => visibility === 'summary');
}
