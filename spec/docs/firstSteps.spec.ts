import manifest from '../../package.json';
import { answer, ProviderDouble, type ScriptedTurn } from '../../packages/openai/spec/support/ProviderDouble';
import { instructionsOf, PageProject, type Promised } from '../support/PageProject';
import { snippetsOf } from '../support/snippets';

// Follows README.md and docs/getting-started.md as a reader with an empty folder would: the files of the page, compiled with the
// packages that it installs, run by its commands, and the output compared with the page. The model is a fake of the API on
// loopback, which the official client finds by its own environment variable; it refuses what the provider refuses. Needs dist/,
// as `npm test` builds it.

jest.setTimeout(120_000);

interface Followed {
  readonly page: string;
  /** The answers of the model to `main.ts`. */
  readonly script: readonly ScriptedTurn[];
}

const call = (id: string, name: string, args: object) => ({ id, name, arguments: JSON.stringify(args) });

const followed: readonly Followed[] = [
  {
    page: 'README.md',
    script: [
      answer({
        toolCalls: [
          call('call_1', 'book_seat', { seat: '12A', passenger: 'Ada' }),
          call('call_2', 'book_seat', { seat: '12A', passenger: 'Grace' }),
        ],
      }),
      answer({ content: 'Ada has seat 12A. I could not book it for Grace, because it is taken.' }),
    ],
  },
  {
    page: 'docs/getting-started.md',
    script: [
      answer({ toolCalls: [call('call_1', 'list_loans', {})] }),
      answer({ toolCalls: [call('call_2', 'lend_books', { reader: 'Grace', books: ['Dracula'] })] }),
      answer({ content: 'Ada has Emma at the moment. I lent you Dracula.' }),
    ],
  },
];

/** Without what differs from run to run. */
function settled(output: string): string {
  return output.replace(/\d+(\.\d+)?ms|(?<=duration_ms )[\d.]+/g, '…').trim();
}

describe.each(followed)('$page', ({ page, script }) => {
  const instructions = instructionsOf(page);
  const { files, introductions, packages, promised } = instructions;
  let project: PageProject;
  let complaints: string;

  beforeAll(async () => {
    project = new PageProject(instructions);
    complaints = await project.compile();
  });
  afterAll(() => project.close());

  test('the page names every peer that is needed', () => {
    const required = Object.keys(manifest.peerDependencies).filter((name) => !(name in manifest.peerDependenciesMeta));
    expect(packages).toEqual(expect.arrayContaining(['toolwright', ...required]));
  });

  test('the page shows TypeScript as files only, and the compiler accepts them', () => {
    const shown = snippetsOf(page).filter(({ language }) => language === 'ts');
    const sources = Object.entries(files).filter(([name]) => name.endsWith('.ts'));
    expect(shown.map(({ code }) => code)).toEqual(sources.map(([, text]) => text));
    expect(complaints).toBe('');
  });

  test('the page names the file above each of its blocks', () => {
    const told = Object.entries(introductions).filter(([name, line]) => line.includes(`\`${name}\``));
    expect(told.map(([name]) => name)).toEqual(Object.keys(files));
  });

  test('the page runs every file that no other one imports', () => {
    const imported = Object.values(files).flatMap((text) => [...text.matchAll(/from '\.\/(.+)\.js'/g)]);
    const programs = Object.keys(files)
      .filter((name) => name.endsWith('.ts'))
      .map((name) => name.replace(/\.ts$/, ''))
      .filter((name) => !imported.some(([, other]) => other === name));
    expect(promised.map(({ command }) => /(\S+)\.js$/.exec(command)?.[1])).toEqual(programs);
    expect(programs).toContain('main');
  });

  test.each(promised)(
    'the documented command prints its promised output: $command',
    async ({ command, output }: Promised) => {
      const double = await ProviderDouble.start(...(command.endsWith(' main.js') ? script : []));
      try {
        const env = { OPENAI_BASE_URL: double.baseURL, OPENAI_API_KEY: 'sk-of-the-reader' };
        expect(settled(await project.run(command, env))).toBe(settled(output));
        expect(double.requests.flatMap(({ problems }) => problems)).toEqual([]);
        expect(double.left).toBe(0);
      } finally {
        await double.stop();
      }
    },
  );
});

test('both pages show one tsconfig.json', () => {
  const [readme, guide] = followed.map(({ page }) => instructionsOf(page).files['tsconfig.json']);
  expect(guide).toBe(readme);
});
