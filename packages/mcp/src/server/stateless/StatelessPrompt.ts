import type { ServerNotification } from '@modelcontextprotocol/sdk/types.js';
import type { BoundPrompt, RenderedPrompt, RenderedTool, Session } from 'toolwright';
import type { McpClient, McpPeer } from '../McpClient.js';
import { type ConnectionServices, listChanges, ServedPrompt } from '../ServedPrompt.js';
import type { ListChanges } from './ListChanges.js';

/**
 * The prompt for one request over HTTP in a revision without sessions. Nothing remains of an opened section or a found
 * tool, so the tools of summarised and searchable sections are offered from the start.
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

  /** Renders the prompt with everything open if only then it has the tool. */
  override async renderForCall(name: string, client: McpClient): Promise<RenderedPrompt> {
    const rendered = await this.renderPrompt(client);
    return rendered.tool(name) === undefined ? this.#openAll(rendered) : rendered;
  }

  override async listTools(rendered: RenderedPrompt): Promise<readonly RenderedTool[]> {
    if (!rendered.isDisclosing) return rendered.tools;
    const { tools } = await this.#openAll(rendered);
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

  /** Offers all searchable tools, and opens sections until no summary is left: an opened section may have summarised children. */
  async #openAll(rendered: RenderedPrompt): Promise<RenderedPrompt> {
    if (!rendered.isDisclosing) return rendered;
    const found = (await rendered.closedTools(this.session)).map(({ name }) => name);
    const opened: string[] = [];
    for (;;) {
      const current = await rendered.anew(this.session, opened, found);
      const summarised = current.sections.filter(({ visibility }) => visibility === 'summary');
      if (summarised.length === 0) return current;
      opened.push(...summarised.map(({ path }) => path));
    }
  }
}
