import { Exclude } from 'class-transformer';
import { defineTool, Field, Param, type ToolContext, type ToolOptions } from 'toolwright';
import { Toolkit } from '@toolwright/programs';
import { engineOfFile } from '../../../packages/programs/spec/kit';
import { silentLogger } from '../../conformance/declare/silentLogger';
import { deskOf } from '../desk';

class Address {
  @Field('City') city!: string;
}

class Customer {
  @Field('Name') name!: string;
  @Field({ optional: true }) address?: Address;
  @Field({ internal: true, optional: true }) hash?: string;
  @Exclude() salt?: string;
}

/** A row of a database, with columns that the tool does not declare. */
const ROW = Object.freeze({
  name: 'Ada',
  password: 'pw-1',
  hash: 'hash-1',
  salt: 'salt-1',
  address: Object.freeze({ city: 'Bonn', street: 'street-1' }),
});

/** An entity that is no `Customer`: what it declares is behind getters, and its `toJSON` knows more. */
class Entity {
  readonly #row = ROW;

  get name(): string {
    return this.#row.name;
  }

  get address(): object {
    return this.#row.address;
  }

  toJSON(): object {
    return this.#row;
  }
}

/** An entity that has getters alone. */
class Lazy {
  readonly #row = ROW;

  get name(): string {
    return this.#row.name;
  }

  get address(): object {
    return this.#row.address;
  }
}

/** An entity with the declared properties alone, whose `toJSON` knows more. */
class Talkative {
  readonly name = ROW.name;
  readonly address = { city: ROW.address.city };

  toJSON(): object {
    return ROW;
  }
}

const find = (result: ToolOptions['result'], value: unknown) =>
  defineTool({ name: 'find', description: 'Finds.', result, handler: () => value as never });

const sandbox = engineOfFile();
const SECRETS = /pw-1|hash-1|salt-1|street-1/;
const seen = '{"name":"Ada","address":{"city":"Bonn"}}';

describe('CALL-04 only declared fields leave', () => {
  test.each<[string, ToolOptions['result'], unknown, string]>([
    ['a row', Customer, ROW, seen],
    ['a list of rows', { array: Customer }, [ROW], `[${seen}]`],
    ['rows by key', { record: Customer }, { a: ROW }, `{"a":${seen}}`],
    ['a row in a tuple', { tuple: [Number, Customer] }, [1, ROW], `[1,${seen}]`],
    ['an instance with more on it', Customer, Object.assign(new Customer(), ROW), seen],
    ['an entity of another class', Customer, new Entity(), seen],
    ['an entity with getters alone', Customer, new Lazy(), seen],
    ['an entity with a toJSON that knows more', Customer, new Talkative(), seen],
  ])('%s: text, event and host have the declared keys alone', async (_name, result, value, text) => {
    const desk = await deskOf([find(result, value)]);
    const outcome = await desk.call('find');
    expect(outcome).toMatchObject({ kind: 'succeeded', text });
    const [event] = desk.events;
    expect(event).toMatchObject({ renderedOutput: text, toolMessage: text });
    expect(event?.result?.value).toBe(outcome.result.value);
    const everything = JSON.stringify([outcome.result.value, event?.result]);
    expect(everything).toContain('Bonn');
    if (_name.startsWith('an instance')) expect(everything).not.toMatch(/pw-1|street-1/);
    else expect(everything).not.toMatch(SECRETS);
  });

  test('a program gets the same', async () => {
    const options = { sandbox, check: 'syntax', logger: silentLogger } as const;
    const kit = await Toolkit.from([find(Customer, ROW)], options);
    const result = await kit.execute('return await find({});');
    expect(result).toMatchObject({ success: true, returnValue: { name: 'Ada', address: { city: 'Bonn' } } });
    expect(JSON.stringify(result)).not.toMatch(SECRETS);
  });

  test('a handler that calls another tool gets the same', async () => {
    let inner: unknown;
    const outer = defineTool({
      name: 'outer',
      description: 'Calls.',
      handler: async (_params: unknown, context: ToolContext) => {
        inner = (await context.callTool({ id: '1', name: 'find', arguments: {} })).result.value;
      },
    });
    const desk = await deskOf([find(Customer, ROW), outer]);
    await desk.call('outer');
    expect(inner).toEqual({ name: 'Ada', address: { city: 'Bonn' } });
  });

  test('a value that has nothing else stays the object that the handler gave, of its class', async () => {
    const customer = Object.assign(new Customer(), {
      name: 'Ada',
      address: Object.assign(new Address(), { city: 'Bonn' }),
    });
    const desk = await deskOf([find(Customer, customer)]);
    expect((await desk.call('find')).result.value).toBe(customer);
    const more = Object.assign(new Customer(), ROW);
    const withMore = await (await deskOf([find(Customer, more)])).call('find');
    expect(withMore.result.value).toBeInstanceOf(Customer);
    expect(more).toMatchObject(ROW);
  });

  test('a result of one of several classes leaves with the keys of that class', async () => {
    class Cat {
      @Param({ description: 'Kind', enum: ['cat'] }) kind!: 'cat';
      @Field('Lives') lives!: number;
    }
    class Dog {
      @Param({ description: 'Kind', enum: ['dog'] }) kind!: 'dog';
      @Field('Tricks') tricks!: string;
    }
    const desk = await deskOf([find({ oneOf: [Cat, Dog] }, { kind: 'dog', tricks: 'sit', lives: 9 })]);
    expect((await desk.call('find')).text).toBe('{"kind":"dog","tricks":"sit"}');
  });

  test('without a declared result, everything leaves', async () => {
    const desk = await deskOf([find(undefined, { a: 1, b: 2 })]);
    expect((await desk.call('find')).text).toBe('{"a":1,"b":2}');
  });
});
