import { createHash } from 'node:crypto';
import { createApplication, defineSection, definePrompt, type RenderedPrompt } from 'toolwright';
import { type McpSkill, type McpServerOptions, serveMcp } from '@toolwright/mcp';
import { writeSkills } from '@toolwright/files/skills';
import { closeAll, closing } from '../support/serverKit';
import { ask } from '../support/statelessKit';

afterEach(closeAll);

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const MANIFEST = '---\nname: refunds\ndescription: Pay money back.\nlicense: MIT\n---\n\nBody.\n';
const REFUNDS: McpSkill = {
  name: 'refunds',
  files: new Map([
    ['SKILL.md', bytes(MANIFEST)],
    ['scripts/pay.sh', bytes('echo paid\n')],
  ]),
};

async function serve(skills: McpServerOptions['skills'], warnings: string[] = []): Promise<string> {
  const orders = defineSection({ key: 'orders', title: 'Orders', template: 'Look an order up first.' });
  const desk = definePrompt({ ns: 'spec', key: 'desk', sections: [orders] });
  const logger = { debug() {}, info() {}, warn: (text: string) => warnings.push(text), error() {} };
  const app = closing(await createApplication({ prompts: [desk], logger }));
  return closing(serveMcp(app, app.prompt(desk), { skills })).listen();
}

interface Entry {
  readonly uri: string;
  readonly frontmatter: object;
  readonly resources: readonly object[];
}

describe('skills', () => {
  test('a client finds skills with their front matter, and each file with size and digest', async () => {
    const url = await serve([REFUNDS]);
    const { result: described } = await ask(url, 'server/discover');
    expect(described).toMatchObject({
      capabilities: { extensions: { 'io.modelcontextprotocol/skills': { directoryRead: true } } },
    });
    const { result } = await ask(url, 'skills/list');
    const [skill] = result['skills'] as readonly Entry[];
    expect(skill).toEqual({
      uri: 'skill://refunds/SKILL.md',
      frontmatter: { name: 'refunds', description: 'Pay money back.', license: 'MIT' },
      resources: [
        {
          uri: 'skill://refunds/SKILL.md',
          size: MANIFEST.length,
          digest: `sha256:${createHash('sha256').update(MANIFEST).digest('hex')}`,
        },
        expect.objectContaining({ uri: 'skill://refunds/scripts/pay.sh', size: 10 }),
      ],
    });
    const { result: one } = await ask(url, 'skills/get', { params: { uri: 'skill://refunds/SKILL.md' } });
    expect(one['skill']).toEqual(skill);
  });

  test('files are read as resources, and folders are listed', async () => {
    const url = await serve([REFUNDS]);
    const read = await ask(url, 'resources/read', { params: { uri: 'skill://refunds/scripts/pay.sh' } });
    expect(read.result['contents']).toEqual([
      { uri: 'skill://refunds/scripts/pay.sh', mimeType: 'application/x-sh', text: 'echo paid\n' },
    ]);
    const folder = await ask(url, 'resources/directory/read', { params: { uri: 'skill://refunds/scripts' } });
    expect(folder.result['resources']).toEqual([expect.objectContaining({ uri: 'skill://refunds/scripts/pay.sh' })]);
  });

  test.each([
    ['skills/get', 'skill://other/SKILL.md'],
    ['skills/get', 7],
    ['resources/read', 'skill://refunds/../orders/SKILL.md'],
    ['resources/read', 'skill://refunds/%2e%2e/%2e%2e/etc/passwd'],
    ['resources/read', 'skill://'],
    ['resources/directory/read', 'skill://refunds/SKILL.md'],
  ])('%s of %j is refused with -32602', async (method, uri) => {
    const { error } = await ask(await serve([REFUNDS]), method, { params: { uri } });
    expect(error.code).toBe(-32602);
  });

  test('sections of the prompt are served as skills, as they are rendered for the client', async () => {
    const url = await serve((rendered: RenderedPrompt) => [...writeSkills(rendered), REFUNDS]);
    const { result } = await ask(url, 'skills/list');
    const skills = result['skills'] as readonly Entry[];
    expect(skills.map(({ uri }) => uri)).toEqual(['skill://orders/SKILL.md', 'skill://refunds/SKILL.md']);
    const read = await ask(url, 'resources/read', { params: { uri: 'skill://orders/SKILL.md' } });
    expect(JSON.stringify(read.result)).toContain('Look an order up first.');
  });

  test('an invalid skill is left out with a warning, and the others are served', async () => {
    const warnings: string[] = [];
    const wrong: McpSkill = { name: 'wrong', files: new Map([['SKILL.md', bytes('---\nname: other\n---\n')]]) };
    const url = await serve([wrong, REFUNDS], warnings);
    const { result } = await ask(url, 'skills/list');
    expect(result['skills']).toHaveLength(1);
    expect(warnings).toEqual([expect.stringContaining('MCP: skill wrong/SKILL.md')]);
  });

  test('a server without skills neither declares nor serves them', async () => {
    const url = await serve(undefined);
    const { result } = await ask(url, 'server/discover');
    expect(JSON.stringify(result)).not.toContain('skills');
    expect((await ask(url, 'skills/list')).error.code).toBe(-32601);
  });
});
