import fc from 'fast-check';
import {
  type Application,
  type BoundPrompt,
  type Constructor,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  type Disclosure,
  type RenderedPrompt,
  Session,
  VisibilityExpansionRequired,
} from 'toolwright';
import { SetVisibilityOverride } from 'toolwright/conversations';

interface Tree {
  readonly visibility: 'full' | 'summary';
  readonly enabled: boolean;
  readonly tools: number;
  readonly isAsync: boolean;
  readonly children: readonly Tree[];
}

const tree = fc.letrec<{ node: Tree; nodes: Tree[] }>((tie) => ({
  node: fc.record({
    visibility: fc.constantFrom('full', 'summary'),
    enabled: fc.constantFrom(true, true, false),
    tools: fc.integer({ min: 0, max: 2 }),
    isAsync: fc.boolean(),
    children: fc.oneof({ depthSize: 'small', withCrossShrink: true }, fc.constant([]), tie('nodes')),
  }),
  nodes: fc.array(tie('node'), { maxLength: 3 }),
}));
const forest = fc.array(
  fc.record({
    visibility: fc.constantFrom('full' as const, 'summary' as const),
    enabled: fc.constantFrom(true, true, true, false),
    tools: fc.integer({ min: 0, max: 2 }),
    isAsync: fc.boolean(),
    children: tree.nodes,
  }),
  { minLength: 1, maxLength: 3 },
);

const toolName = (path: string, index: number): string => `${path.replaceAll('.', '_')}_${String(index)}`;

function sectionOf({ visibility, enabled, tools, isAsync, children }: Tree, key: string, parent: string): Constructor {
  const path = parent === '' ? key : `${parent}.${key}`;
  return defineSection({
    key,
    title: key,
    template: `Whole ${path}.`,
    summary: `Short ${path}.`,
    visibility: isAsync ? async () => visibility : visibility,
    enabled: isAsync ? async () => enabled : () => enabled,
    tools: Array.from({ length: tools }, (_, index) =>
      defineTool({ name: toolName(path, index), description: 'Does it.', handler: () => 'done' }),
    ),
    children: children.map((child, index) => sectionOf(child, `s${String(index)}`, path)),
  });
}

async function deskOf(trees: readonly Tree[], disclosure: Disclosure): Promise<[Application, BoundPrompt]> {
  const sections = trees.map((node, index) => sectionOf(node, `s${String(index)}`, ''));
  const type = definePrompt({ ns: 'n', key: 'k', disclosure, sections });
  const app = await createApplication({ prompts: [type] });
  return [app, app.prompt(type)];
}

/** A model of the tree, without the framework: the paths in the text, and the tools that they offer. */
function expectedOf(
  trees: readonly Tree[],
  opened: ReadonlySet<string>,
  disclosure: Disclosure,
): { readonly shown: readonly string[]; readonly tools: readonly string[]; readonly closed: readonly string[] } {
  const shown: string[] = [];
  const tools: string[] = [];
  const closed: string[] = [];
  const openers = new Set<string>();
  const hasTools = (node: Tree): boolean =>
    node.tools > 0 || node.children.some((child) => child.enabled && hasTools(child));
  const walk = (nodes: readonly Tree[], parent: string): void => {
    nodes.forEach((node, index) => {
      const key = `s${String(index)}`;
      const path = parent === '' ? key : `${parent}.${key}`;
      if (!node.enabled) return;
      shown.push(path);
      if (node.visibility === 'summary' && !opened.has(path)) {
        closed.push(path);
        openers.add(disclosure === 'open' || hasTools(node) ? 'open_sections' : 'read_section');
        return;
      }
      for (let tool = 0; tool < node.tools; tool++) tools.push(toolName(path, tool));
      walk(node.children, path);
    });
  };
  walk(trees, '');
  return { shown, tools: [...tools, ...['open_sections', 'read_section'].filter((name) => openers.has(name))], closed };
}

const namesOf = (rendered: RenderedPrompt): readonly string[] => rendered.tools.map(({ name }) => name);

describe('any tree, opened in any order', () => {
  test('any tree renders the same each time, offers the tools of open sections, and ends as if rendered in full', async () => {
    let openings = 0;
    await fc.assert(
      fc.asyncProperty(
        forest,
        fc.constantFrom('open' as const, 'auto' as const),
        fc.infiniteStream(fc.nat()),
        async (trees, disclosure, choices) => {
          const [app, prompt] = await deskOf(trees, disclosure);
          const session = new Session();
          const opened = new Set<string>();
          for (;;) {
            const rendered = await prompt.render({ session });
            expect((await prompt.render({ session })).fingerprint).toBe(rendered.fingerprint);
            const { shown, tools, closed } = expectedOf(trees, opened, disclosure);
            expect(namesOf(rendered)).toEqual(tools);
            expect((await prompt.tools({ session })).map(({ name }) => name)).toEqual(tools);
            expect(rendered.sections.map(({ path }) => path)).toEqual(shown);
            if (closed.length === 0) break;
            const key = closed[(choices.next().value ?? 0) % closed.length] ?? '';
            if (tools.includes('open_sections')) {
              const request: unknown = await app
                .invoke(rendered, 'open_sections', { section_keys: [key], reason: 'r' }, { session })
                .catch((error: unknown) => error);
              expect(request instanceof VisibilityExpansionRequired).toBe(true);
              expect(request).toMatchObject({ requestedOverrides: { [key]: 'full' } });
            }
            opened.add(key);
            openings++;
            session.dispatch(new SetVisibilityOverride(key, 'full'));
            const next = await prompt.render({ session });
            const start = rendered.sections.find(({ path }) => path === key)?.start ?? 0;
            expect(next.text.slice(0, start)).toBe(rendered.text.slice(0, start));
          }
          const everything = Object.fromEntries(prompt.sections.map(({ path }) => [path, 'full' as const]));
          const whole = await prompt.render({ visibilityOverrides: everything });
          expect((await prompt.render({ session })).fingerprint).toBe(whole.fingerprint);
          expect(whole.tools.filter(({ sectionPath }) => sectionPath === '')).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
    expect(openings).toBeGreaterThan(20);
  });
});
