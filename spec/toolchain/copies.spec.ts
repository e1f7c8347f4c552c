import { container, Desk } from './application/Desk.js';
import { report } from './application/report.js';
import { deskProject } from './support/desk.js';
import { swc } from './support/swc.js';
import { run, Workspace } from './support/Workspace.js';

jest.setTimeout(60_000);
const workspace = new Workspace();
afterAll(() => workspace.close());

// The application is an ES module; the desk came compiled to CommonJS, and so uses the other build of the package.
const main = (desk: string): string => `
  import { createRequire } from 'node:module';
  import * as here from 'toolwright';
  import { report } from './report.js';
  const require = createRequire(import.meta.url);
  const there = require('toolwright');
  const { Desk } = require(${JSON.stringify(desk)});

  const tool = here.defineTool({
    name: 'refuse',
    description: 'Refuses.',
    handler: () => { throw new there.ToolRefusal('Not today.'); },
  });
  const prompt = here.definePrompt({ ns: 'n', key: 'k', sections: [here.defineSection({ key: 's', title: 'S', tools: [tool] })] });

  async function facts() {
    const app = await here.createApplication({ prompts: [prompt] });
    const refused = await app.invoke(await app.prompt(prompt).render(), 'refuse', {});
    const result = there.ToolResult.ok('x');
    return {
      twice: here.ToolResult !== there.ToolResult,
      recognised: result instanceof here.ToolResult,
      refused: [refused.kind, refused.text],
      report: await report(Desk, undefined),
    };
  }
  facts().then((all) => process.stdout.write(JSON.stringify(all)));
`;

test('the ESM and the CommonJS build in one process share declarations and recognise each other', async () => {
  const there = workspace.project('cjs', deskProject());
  await swc.compile({ folder: there, settings: { format: 'cjs' } });
  const shared = `
    import { createRequire } from 'node:module';
    export const { OrderBook } = createRequire(import.meta.url)(${JSON.stringify(`${there}/out/shared.js`)});
  `;
  const here = workspace.project('esm', {
    'src/report.ts': deskProject()['src/report.ts']!,
    'src/shared.ts': shared,
    'src/main.ts': main(`${there}/out/Desk.js`),
  });
  await swc.compile({ folder: here, settings: { format: 'esm' } });
  const { stdout, stderr } = await run(here);
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({
    twice: true,
    recognised: true,
    refused: ['failed', 'Not today.'],
    report: await report(Desk, container),
  });
});
