import { createApplication, definePrompt, type RenderedPrompt } from 'toolwright';
import { mcpSection, type McpSectionOptions } from '@toolwright/mcp';
import { closeServers, connected, text, type ScriptedServer } from '../support/clientServers';
import { silent } from '../../../../spec/support/silent';
import { measureAround } from '../../../../spec/support/attacks/around';

measureAround();

afterEach(closeServers);

const inputSchema = { type: 'object', properties: { path: { type: 'string' } } };
const tool = (name: string): Record<string, unknown> => ({ name, description: `Does ${name}.`, inputSchema });

/** A desk with tools of a server, of which the host guards `write_file` by its name. */
async function desk(script: ScriptedServer, options: Partial<McpSectionOptions> = {}) {
  const { client, asked } = await connected({ call: () => text('done'), ...script });
  const remote = await mcpSection(client, {
    key: 'remote',
    title: 'Remote',
    logger: silent,
    each: ({ name }) => (name === 'write_file' ? { requiresApproval: true } : {}),
    ...options,
  });
  const prompt = definePrompt({ ns: 'spec', key: 'desk', sections: [remote] });
  const app = await createApplication({
    prompts: [prompt],
    logger: silent,
    approver: { approve: () => ({ kind: 'denied', reason: 'no' }) },
  });
  const rendered = await app.prompt(prompt).render();
  return { app, rendered, names: namesOf(rendered), called: () => asked.filter(([method]) => method === 'tools/call') };
}

const namesOf = ({ tools }: RenderedPrompt): readonly string[] => tools.map(({ name }) => name);

describe('names of an MCP server', () => {
  test('HOST-12a a server with a lookalike beside the tool that is meant: only the tool is bridged', async () => {
    const { names } = await desk({ tools: ['write-file', 'write_file'].map(tool) }, { names: ['write_file'] });
    expect(names).toEqual(['write_file']);
  });

  test.each(['write-file', 'write.file', 'write file', 'Write_file', 'write_file '])(
    'HOST-12b a server that offers only the lookalike %p does not get past the approval of write_file',
    async (lookalike) => {
      const made = desk({ tools: [tool(lookalike)] }, { names: ['write_file'] });
      const outcome = await made.then(
        async ({ app, rendered, names }) => ({ names, kind: (await app.invoke(rendered, names[0] ?? '', {})).kind }),
        (error: unknown) => (error as { readonly code?: string }).code,
      );
      // Refused, or bridged under exactly the name that the host guards.
      if (lookalike === 'write-file') expect(outcome).toBe('E682');
      else expect(['E682', { names: ['write_file'], kind: 'denied' }]).toContainEqual(outcome);
    },
  );

  test('HOST-12c a name that means one tool locally and another at the server is refused', async () => {
    const tools = ['x', 'a_x'].map(tool);
    await expect(desk({ tools }, { prefix: 'a', names: ['a_x'] })).rejects.toMatchObject({
      code: 'E682',
      message: expect.stringContaining('a_x, a_a_x') as string,
    });
    expect((await desk({ tools }, { prefix: 'a', names: ['x'] })).names).toEqual(['a_x']);
  });
});
