import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { built, CliProject, shop } from './support/CliProject';

const root = resolve(__dirname, '../../..');
const ESCAPE = '\u001b';

describe('the command line in a terminal', () => {
  let project: CliProject;
  beforeAll(() => {
    execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root });
    project = new CliProject(built(shop));
  }, 600_000);
  afterAll(() => {
    project.close();
  });

  test('the command line in a terminal shows a table with colours; none with NO_COLOR', async () => {
    const coloured = await project.runInTerminal(['tools']);
    expect(coloured.out).toContain(`${ESCAPE}[1mtool${ESCAPE}[22m`);
    const plain = await project.runInTerminal(['tools'], { env: { NO_COLOR: '1' } });
    expect(plain.out).not.toContain(ESCAPE);
    expect(plain.out).toMatch(/^ *place_order +orders +handler/m);
  }, 60_000);

  test('the command line in a terminal asks for an approval, and the answer counts', async () => {
    project.write(
      'refund.json',
      '[{ "toolCalls": [{ "name": "refund", "arguments": { "article": "tea" } }] }, "Done."]',
    );
    let answered = false;
    const { out, code } = await project.runInTerminal(['run', 'Refund', '--script', 'refund.json'], {
      watch: (said, child) => {
        if (answered || !said.includes('May it run?')) return;
        answered = true;
        child.write('y');
      },
    });
    expect(out).toContain('Refunded tea.');
    expect(code).toBe(0);
  }, 60_000);

  test('the command line talks line by line, and ends with Ctrl-C at the prompt', async () => {
    let step = 0;
    const { out, code } = await project.runInTerminal(['run', '--script', 'replies.json'], {
      watch: (said, child) => {
        if (step === 0 && said.includes('You')) {
          step = 1;
          child.write('Tea, please\r');
        } else if (step === 1 && said.includes('Tea is ordered.')) {
          step = 2;
          setTimeout(() => child.write('\u0003'), 500);
        }
      },
    });
    expect(out).toContain('Tea is ordered.');
    expect(out).toContain('Bye.');
    expect(code).toBe(0);
  }, 60_000);

  test('Ctrl-C cancels an answer that takes long', async () => {
    project.write(
      'slow.config.mjs',
      `export { default, session } from './toolwright.config.js';
export const adapter = {
  name: 'slow',
  complete: ({ signal }) =>
    new Promise((_resolve, reject) => {
      console.error('asked');
      const timer = setTimeout(() => undefined, 60_000);
      signal.addEventListener('abort', () => { clearTimeout(timer); reject(signal.reason); });
    }),
};
`,
    );
    let stopped = false;
    const { out, code } = await project.runInTerminal(['run', 'Hello', '--app', 'slow.config.mjs'], {
      watch: (said, child) => {
        if (stopped || !said.includes('asked')) return;
        stopped = true;
        child.write('\u0003');
      },
    });
    expect(out).toContain('cancelled; what was committed stays');
    expect(code).toBe(1);
  }, 60_000);

  test('text of a tool cannot act on the terminal', async () => {
    const { out } = await project.runInTerminal(
      ['call', 'place_order', JSON.stringify({ article: `${ESCAPE}]0;title${ESCAPE}[2J` })],
      {
        env: { NO_COLOR: '1' },
      },
    );
    expect(out).toContain('Ordered \\u001b]0;title\\u001b[2J.');
    expect(out).not.toContain(ESCAPE);
  }, 60_000);
});
