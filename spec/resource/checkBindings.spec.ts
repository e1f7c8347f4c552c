import 'reflect-metadata';
import { bind, createApplication, definePrompt, defineSection } from 'toolwright';
import { ResourceError } from 'toolwright/resources';

class Store {}
const provide = () => new Store();

/** The refusal of what JavaScript allows and the types do not. */
async function refusal(act: () => unknown): Promise<string> {
  try {
    await act();
  } catch (error) {
    if (error instanceof ResourceError && error.code === 'E912') return error.message.split('\n', 1).join('');
    throw error;
  }
  throw new Error('it was accepted');
}

describe('E912: bind', () => {
  test.each<[string, unknown, unknown, string]>([
    [
      'a class that a circular file left undefined',
      undefined,
      { provide },
      'expected a class, got undefined (a circular import?)',
    ],
    ['an instance', new Store(), { provide }, 'expected a class, got an object'],
    ['an arrow function', () => Store, { provide }, 'expected a class, got a function'],
    ['no options', Store, undefined, 'expected { value } or { provide }, got undefined'],
    ['neither value nor provide', Store, {}, 'expected either value or provide'],
    ['both', Store, { value: new Store(), provide }, 'expected either value or provide'],
    [
      'a value in the place of a provider',
      Store,
      { provide: new Store() },
      'provide: expected a function, got an object',
    ],
    [
      'an unknown scope',
      Store,
      { provide, scope: 'request' },
      "scope: expected 'singleton', 'toolCall' or 'prototype', got the string \"request\"",
    ],
    ['an eager that is no flag', Store, { provide, eager: 1 }, 'eager: expected true or false, got the number 1'],
    [
      'a close that is no function',
      Store,
      { provide, close: true },
      'close: expected a function, got the boolean true',
    ],
    ['an eager prototype', Store, { provide, scope: 'prototype', eager: true }, 'eager has no effect on a prototype'],
    ['a scope for a value', Store, { value: new Store(), scope: 'toolCall' }, 'scope has no effect on a value'],
  ])('E912: bind refuses %s', async (_what, type, options, problem) => {
    expect(await refusal(() => bind(type as typeof Store, options as never))).toContain(problem);
  });

  test('bind takes abstract classes, and undefined for what is left out', () => {
    abstract class Port {
      abstract read(): string;
    }
    class Reader extends Port {
      read = (): string => 'a';
    }
    expect(bind(Port, { value: new Reader() }).type).toBe(Port);
    expect(bind(Store, { provide, scope: undefined, eager: undefined, close: undefined })).toMatchObject({
      scope: 'singleton',
      eager: false,
    });
    expect(bind(Object, { value: undefined as never }).scope).toBe('singleton');
  });
});

describe('E912: a list of bindings', () => {
  const Desk = definePrompt({ ns: 'a', key: 'b', sections: [defineSection({ key: 's', title: 'S' })] });

  test.each<[string, unknown, string]>([
    [
      'that is none',
      { Store },
      'createApplication({ resources }): expected a list of bindings, made with bind(), got an object',
    ],
    [
      'with a class',
      [bind(Store, { provide }), Store],
      'createApplication({ resources })[1]: expected a result of bind(), got the class Store',
    ],
    ['with null', [null], 'createApplication({ resources })[0]: expected a result of bind(), got null'],
    ['with a thunk', [() => bind(Store, { provide })], 'got a function'],
  ])('%s is refused by the application', async (_what, resources, problem) => {
    expect(await refusal(() => createApplication({ prompts: [Desk], resources: resources as never }))).toContain(
      problem,
    );
  });

  test('a list of bindings with a class is refused by withResources', async () => {
    const app = await createApplication({ prompts: [Desk] });
    expect(await refusal(() => app.prompt(Desk).withResources([Store] as never))).toContain(
      'withResources[0]: expected',
    );
  });
});
