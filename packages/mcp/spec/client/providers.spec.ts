import 'reflect-metadata';
import { createApplication, definePrompt, type RenderedPrompt } from 'toolwright';
import { mcpSection } from '@toolwright/mcp';
import { closeServers, connected } from '../support/clientServers';
import { silent } from '../../../../spec/support/silent';

afterEach(closeServers);

async function rendering(tools: readonly Readonly<Record<string, unknown>>[]): Promise<RenderedPrompt> {
  const { client } = await connected({ tools });
  const remote = await mcpSection(client, { key: 'remote', title: 'Remote', logger: silent });
  const prompt = definePrompt({ ns: 'spec', key: 'desk', sections: [remote] });
  const app = await createApplication({ prompts: [prompt], logger: silent });
  const rendered = await app.prompt(prompt).render();
  await app.close();
  return rendered;
}

const properties = {
  optional: { type: 'string', format: 'email', pattern: '^a' },
  map: { type: 'object', additionalProperties: { type: 'number' } },
  either: { oneOf: [{ type: 'string' }, { type: 'integer' }] },
  tree: { $ref: '#/$defs/node' },
};
const hard = {
  type: 'object',
  properties,
  $defs: { node: { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/$defs/node' } } } } },
};

describe('bridged tools before a provider', () => {
  test('ADPT-09 a remote schema that strict modes do not take is offered without them, and it is said why', async () => {
    const rendered = await rendering([{ name: 'q', inputSchema: hard }]);
    const [strict] = rendered.toolSchemas('openai', { strict: true });
    expect([strict?.strict, (strict?.losses.length ?? 0) > 0]).toEqual([false, true]);
    const [plain] = rendered.toolSchemas('mcp');
    expect(plain?.parameters).toEqual(hard);
  });

  test('ADPT-09 null means absence of an optional property in a remote schema, too', async () => {
    const rendered = await rendering([{ name: 'q', inputSchema: hard }]);
    const given = { optional: null, map: { a: 1 }, either: 'x', tree: { children: [{ children: null }] } };
    expect(rendered.tools[0]?.metadata.parse(given)).toEqual({
      ...{ ok: true, value: { map: { a: 1 }, either: 'x', tree: { children: [{}] } } },
    });
  });

  test('ADPT-10 names and descriptions keep to the limits of every provider, whatever the server says', async () => {
    const rendered = await rendering([{ name: 'n'.repeat(65), description: 'd'.repeat(1_025) }]);
    const [tool] = rendered.toolSchemas('openai');
    expect([tool?.name.length, tool?.description.length]).toEqual([64, 200]);
  });
});
