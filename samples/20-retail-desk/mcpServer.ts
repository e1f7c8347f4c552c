import type { Approver } from 'toolwright/policies';
import { McpClient, serveMcp } from '@toolwright/mcp';
import { createRetailApplication, quietLogger } from './application.js';
import { RetailDesk } from './RetailDesk.js';
import { DeskParams } from './sections/DeskParams.js';
import type { RetailStore } from './store/RetailStore.js';

/** The user of the client acts as the supervisor; if the client cannot ask, large refunds are denied. */
const userApproves: Approver = {
  async approve({ tool, params }, context) {
    const client = McpClient.of(context);
    if (client === undefined) return { kind: 'denied', reason: 'No supervisor is there.' };
    const question = `${tool.name} pays back a large amount: ${JSON.stringify(params)}. Shall it?`;
    const { action } = await client.elicit(question, { type: 'object', properties: {} });
    return action === 'accept' ? { kind: 'approved' } : { kind: 'denied', reason: 'The supervisor said no.' };
  },
};

/** Creates a server of the desk for MCP clients, and the application, which is closed after it. */
export async function createRetailServer(store: RetailStore, containerId?: string) {
  const app = await createRetailApplication(store, { containerId, logger: quietLogger, approver: userApproves });
  const prompt = app.prompt(RetailDesk).bind(DeskParams, { storeName: 'the Harbour Store', timeZone: 'EST' });
  return { app, server: serveMcp(app, prompt, { name: 'retail-desk' }) };
}
