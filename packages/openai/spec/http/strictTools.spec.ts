import { toStrictJsonSchema } from 'openai/lib/transform';
import { createApplication, Param, Prompt, Section, Session, Tool } from 'toolwright';
import { requestOf, toolNamed } from '../support/client';
import { chatDoor } from '../support/chatKit';
import { isJson, objects, type Json } from '../support/json';
import { ProviderDouble, raw } from '../support/ProviderDouble';
import type { ProviderDoor } from '../support/ProviderDoor';
import { responsesDoor } from '../support/responsesKit';
import { rejectionOf } from '../support/thrownBy';

type SchemaOfClient = Parameters<typeof toStrictJsonSchema>[0];

const running: ProviderDouble[] = [];
afterEach(() => Promise.all(running.splice(0).map((double) => double.stop())));

class Leaf {
  @Param('Name') name!: string;
  @Param({ description: 'Below it', type: () => [Leaf] }) leaves!: Leaf[];
}
class Circle {
  @Param('Radius') radius!: number;
}
class Square {
  @Param('Side') side!: number;
}
class Strictly {
  @Param({ description: 'Note', optional: true, type: String }) note?: string;
  @Param({ description: 'Level', integer: true, min: 1 }) level = 3;
  @Param({ description: 'Link', format: 'uri', pattern: /^https:/ }) link!: string;
  @Param({ description: 'Shape', oneOf: [Circle, Square] }) shape!: Circle | Square;
  @Param('Tree') tree!: Leaf;
}
class Loosely {
  @Param({ description: 'Counts', record: Number }) counts!: Record<string, number>;
}

async function desk(door: ProviderDoor) {
  const seen: object[] = [];
  @Section({ title: 'Desk', template: 'Work.' })
  class Desk {
    @Tool('Strict.') strictly(params: Strictly) {
      seen.push(params);
      return 'done';
    }
    @Tool('Loose.') loosely(params: Loosely) {
      seen.push(params);
      return 'done';
    }
  }
  @Prompt({ ns: 'a', key: 'desk', sections: [Desk] })
  class DeskPrompt {}
  const app = await createApplication({ prompts: [DeskPrompt] });
  // Strict mode makes the model write every property, with null for what it leaves open.
  const args = {
    note: null,
    level: null,
    link: 'https://example.com/a',
    shape: { side: 2 },
    tree: { name: 'a', leaves: [{ name: 'b', leaves: [] }] },
  };
  const calls = [
    { id: 'a', name: 'strictly', arguments: JSON.stringify(args) },
    { id: 'b', name: 'loosely', arguments: '{"counts":{"one":1}}' },
  ];
  const double = await ProviderDouble.speaking(
    door.wire,
    raw(200, JSON.stringify(door.whole({ kind: 'answer', calls }))),
    raw(200, JSON.stringify(door.whole({ kind: 'answer', text: 'Done.' }))),
  );
  running.push(double);
  const adapter = door.adapter(double.baseURL);
  await app.evaluate(app.prompt(DeskPrompt), { adapter, session: new Session() });
  const tools = objects(double.requests[0]?.body.tools).map(([, tool]): Json =>
    isJson(tool['function']) ? tool['function'] : tool,
  );
  return { double, seen, tools };
}

describe.each<[string, ProviderDoor]>([
  ['Chat', chatDoor],
  ['Responses', responsesDoor],
])('%s: tools over HTTP', (_name, door) => {
  test('ADPT-09: the client of the provider would change no strict schema, and takes none that is sent without', async () => {
    const { double, tools } = await desk(door);
    expect(tools.map(({ name, strict }) => [name, strict])).toEqual([
      ['strictly', true],
      ['loosely', false],
    ]);
    const [strict = {}, loose = {}] = tools.map(({ parameters }) => parameters as SchemaOfClient);
    expect(toStrictJsonSchema(structuredClone(strict))).toEqual(strict);
    expect(() => toStrictJsonSchema(structuredClone(loose))).toThrow();
    expect(double.requests.flatMap(({ problems }) => problems)).toEqual([]);
  });

  test('ADPT-09: a field that the model wrote as null is absent for the handler, or its default', async () => {
    const { seen } = await desk(door);
    const [strict, loose] = seen;
    expect(strict).toBeInstanceOf(Strictly);
    expect(strict).toEqual({
      level: 3,
      link: 'https://example.com/a',
      shape: { side: 2 },
      tree: { name: 'a', leaves: [{ name: 'b', leaves: [] }] },
    });
    expect(strict).not.toHaveProperty('note');
    expect(loose).toEqual({ counts: { one: 1 } });
  });

  test.each([
    ['129 tools', Array.from({ length: 129 }, (_, at) => toolNamed(`t${String(at)}`)), 'at most 128 are allowed'],
    ['a name of 65 characters', [toolNamed('x'.repeat(65))], 'at most 64 are allowed'],
    [
      'a description of 1,025 characters',
      [{ ...toolNamed('find'), description: 'x'.repeat(1_025) }],
      'has 1025 characters, at most 1024 are allowed',
    ],
  ])('ADPT-10: %s never reach the provider', async (_what, tools, limit) => {
    const double = await ProviderDouble.speaking(door.wire);
    running.push(double);
    const asked = door.adapter(double.baseURL).complete(requestOf([{ role: 'user', content: 'Hi' }], tools));
    const error = await rejectionOf(asked);
    expect(error).toMatchObject({ name: 'PromptEvaluationError', phase: 'request' });
    expect(error.message).toContain(limit);
    expect(double.requests).toEqual([]);
  });
});
