import {
  type Constructor,
  ContainerError,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Param,
  Prompt,
  Section,
  Tool,
} from 'toolwright';
import type { ContainerAdapter } from 'toolwright/adapters';

/** A container that keeps a list of what it was asked for. */
function recording(build: (type: Constructor) => unknown = (type) => Reflect.construct(type, [])) {
  const asked: string[] = [];
  const container: ContainerAdapter = {
    get: (type) => {
      asked.push(type.name);
      return build(type) as never;
    },
  };
  return { asked, container };
}

describe('the container', () => {
  test('the container builds every section and tool class, and none that was defined without a class', async () => {
    class Greet {
      @Param('Name') name = 'Ann';
    }
    @Tool({ description: 'Greets.', params: Greet })
    class GreetTool {
      handle({ name }: Greet): string {
        return name;
      }
    }
    @Section({ title: 'Child' })
    class Child {}
    @Section({ title: 'Parent', tools: [GreetTool], children: [Child] })
    class Parent {}
    const ping = defineTool({ name: 'ping', description: 'Answers.', handler: () => 'pong' });
    const defined = defineSection({ key: 'd', title: 'D', tools: [ping] });
    const type = definePrompt({ ns: 'n', key: 'k', sections: [Parent, defined] });
    const { asked, container } = recording();
    const app = await createApplication({ prompts: [type], container });
    expect(asked).toEqual(['Parent', 'GreetTool', 'Child']);
    const rendered = await app.prompt(type).render();
    expect((await app.invoke(rendered, 'greet_tool', {})).text).toBe('Ann');
    expect((await app.invoke(rendered, 'ping', {})).text).toBe('pong');
    expect(asked).toHaveLength(3);
  });

  test('a container may be asynchronous', async () => {
    @Section({ title: 'Slow' })
    class Slow {
      ready = false;
      @Tool('Says whether it is ready.')
      isReady(): boolean {
        return this.ready;
      }
    }
    @Prompt({ ns: 'n', key: 'k', sections: [Slow] })
    class Root {}
    const container: ContainerAdapter = {
      get: async (type) =>
        Promise.resolve(Object.assign(Reflect.construct(type, []) as object, { ready: true }) as never),
    };
    const app = await createApplication({ prompts: [Root], container });
    expect((await app.invoke(await app.prompt(Root).render(), 'is_ready', {})).text).toBe('true');
  });

  test('left out, builds one instance of a section for all prompts', async () => {
    let built = 0;
    @Section({ title: 'Shared' })
    class Shared {
      constructor() {
        built++;
      }
    }
    const [first, second] = ['a', 'b'].map((key) => definePrompt({ ns: 'n', key, sections: [Shared] }));
    await createApplication({ prompts: [first!, second!] });
    expect(built).toBe(1);
  });

  @Section({ title: 'S' })
  class Wanted {}
  const creation = (build: () => unknown): Promise<unknown> => {
    const type = definePrompt({ ns: 'n', key: 'k', sections: [Wanted] });
    const { container } = recording(build);
    return createApplication({ prompts: [type], container }).then(
      () => 'created',
      (error: unknown) => error,
    );
  };

  test('a container that throws: E401 with the class and the cause', async () => {
    const cause = new Error('no provider');
    const error = await creation(() => {
      throw cause;
    });
    expect(error).toBeInstanceOf(ContainerError);
    expect(error).toMatchObject({ code: 'E401', place: 'Wanted', cause });
    expect((error as Error).message).toContain('no provider');
  });

  test('a container that throws a coded error of ours: the error is kept', async () => {
    const ours = new ContainerError('circle', { code: 'E402', place: 'Wanted' });
    expect(
      await creation(() => {
        throw ours;
      }),
    ).toBe(ours);
  });

  test.each([undefined, null, 'text', 5])(
    'a container that returns %p instead of an instance is refused: E401',
    async (given) => {
      expect(await creation(() => given)).toMatchObject({ code: 'E401', place: 'Wanted' });
    },
  );
});
