// The client under test: node client.mjs URL. It brings the tools, resources and prompts of the server into an application over the
// bridge, calls them, and asks the user for authorization where the server wants it. The suite sets the scenario in the environment.
import 'reflect-metadata';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { getMcpPrompt, mcpSection } from '@toolwright/mcp';
import { createApplication, definePrompt } from 'toolwright';
import { createProvider } from './oauth.mjs';

const { MCP_CONFORMANCE_SCENARIO: scenario = '', MCP_CONFORMANCE_PROTOCOL_VERSION: version = '' } = process.env;
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const url = new URL(process.argv.at(-1));
/** Authorizations that are finished for one request: one for its 401, and one for more scope. */
const MAX_AUTHORIZATIONS = 2;

const provider = scenario.startsWith('auth/') ? createProvider(scenario, context) : undefined;
let open;

/** Connects a client to the server. A transport that was refused cannot be started again, so each attempt has its own. */
async function connect(attempts = 0) {
  const client = new Client(
    { name: 'toolwright-conformance', version: '1.0.0' },
    {
      capabilities: { elicitation: { form: { applyDefaults: true } } },
      versionNegotiation: { mode: version >= '2026-07-28' ? 'auto' : 'legacy' },
    },
  );
  client.setRequestHandler('elicitation/create', ({ params }) => ({
    action: 'accept',
    content: writeArguments(params.requestedSchema),
  }));
  const transport = new StreamableHTTPClientTransport(url, { authProvider: provider });
  try {
    await client.connect(transport);
    return { client, transport };
  } catch (error) {
    await finishAuthorization(transport, error, attempts);
    return connect(attempts + 1);
  }
}

/** Repeats a request after each authorization that it needs. */
async function authorize(transport, request, attempts = 0) {
  try {
    return await request();
  } catch (error) {
    await finishAuthorization(transport, error, attempts);
    return authorize(transport, request, attempts + 1);
  }
}

/** Finishes the authorization of a user who has come back; throws the error otherwise. */
async function finishAuthorization(transport, error, attempts) {
  const { callback } = provider ?? {};
  if (callback === undefined || attempts === MAX_AUTHORIZATIONS) throw error;
  provider.callback = undefined;
  await transport.finishAuth(callback);
}

/** The port of the bridge over a client that finishes authorizations. */
async function source() {
  open ??= connect();
  const { client, transport } = await open;
  return {
    getServerCapabilities: () => client.getServerCapabilities(),
    getProtocolEra: () => client.getProtocolEra(),
    request: (...given) => authorize(transport, () => client.request(...given)),
  };
}

/** Returns arguments that match a schema: the required ones, with simple values. */
function writeArguments({ properties = {}, required = [] } = {}) {
  const values = { string: 'text', number: 5, integer: 5, boolean: true, array: [], object: {} };
  return Object.fromEntries(
    required
      .filter((key) => properties[key]?.default === undefined)
      .map((key) => [key, properties[key]?.enum?.[0] ?? values[properties[key]?.type] ?? 'text']),
  );
}

/** Brings the server into an application, and calls all that it offers. */
async function useServer() {
  const section = await mcpSection(source, { key: 'remote', title: 'Remote' });
  const prompt = definePrompt({ ns: 'conformance', key: 'client', sections: [section] });
  const app = await createApplication({ prompts: [prompt] });
  const rendered = await app.prompt(prompt).render();
  const calls =
    context.toolCalls?.map((call) => ({ name: call.name, given: call.arguments })) ??
    rendered.tools.map(({ metadata }) => ({
      name: metadata.remoteName ?? metadata.name,
      given: writeArguments(metadata.schema),
    }));
  const outcomes = await Promise.all(
    calls.map(async ({ name, given }) => {
      const tool = rendered.tools.find(({ metadata }) => metadata.remoteName === name);
      return app.invoke(rendered, tool.metadata.name, given);
    }),
  );
  for (const { kind, text, result } of outcomes) console.log(kind, text, result?.cause ?? '');
  await app.close();
}

await useServer();
const connection = await source();
if (connection.getServerCapabilities()?.prompts !== undefined) {
  const { prompts } = await connection.request({ method: 'prompts/list', params: {} }, anyAnswer());
  for (const { name } of prompts) await getMcpPrompt(source, name);
}
// A server may ask for another authorization later.
if (scenario === 'auth/authorization-server-migration') await useServer();
const { client } = await open;
await client.close();

function anyAnswer() {
  return { '~standard': { version: 1, vendor: 'conformance', validate: (value) => ({ value }) } };
}
