import { Ctx, Param, Prompt, Section, Tool } from 'toolwright';
import type * as storageModule from '../../../src/metadata/args/MetadataArgsStorage.js';
import { getArgs, findArgs } from '../../../src/metadata/args/MetadataArgsStorage.js';

describe('MetadataArgsStorage', () => {
  test('a record is made when it is first written to, and kept', () => {
    class Order {}
    expect(findArgs(Order)).toBeUndefined();
    const args = getArgs(Order);
    expect(getArgs(Order)).toBe(args);
    expect(findArgs(Order)).toBe(args);
    expect(args).toEqual({
      tools: [],
      properties: [],
      parameters: [],
      contexts: [],
      reducers: [],
      section: undefined,
      prompt: undefined,
      definedHandler: undefined,
      defined: false,
    });
  });

  test('records are kept per class: neither parents nor namesakes share them', () => {
    class Base {
      @Param('Order id') id!: string;
    }
    class Child extends Base {
      @Param('Limit') limit!: number;
    }
    const namesake = { Base: class Base {} }.Base;
    expect(findArgs(Base)?.properties.map(({ property }) => property)).toEqual(['id']);
    expect(findArgs(Child)?.properties.map(({ property }) => property)).toEqual(['limit']);
    expect(findArgs(namesake)).toBeUndefined();
  });

  test('decorators only record declarations, without judging them', () => {
    class Illegal {
      @Tool({ name: 'Not Legal', description: '' }) run(@Param('id', 'Id') id: string, @Ctx() context: unknown) {}
    }
    Section({ title: '' })(Illegal);
    Prompt({ ns: '', key: '', sections: [] })(Illegal);
    expect(findArgs(Illegal)).toMatchObject({
      tools: [{ place: 'method', member: 'run', options: { name: 'Not Legal', description: '' } }],
      parameters: [{ member: 'run', index: 0, name: 'id', options: { description: 'Id' } }],
      contexts: [{ member: 'run', index: 1 }],
      section: { title: '' },
      prompt: { ns: '', key: '', sections: [] },
    });
  });

  test('all copies of the package in a process share one MetadataArgsStorage', () => {
    class Order {}
    let copy: typeof storageModule | undefined;
    jest.isolateModules(() => {
      // eslint-disable-next-line @typescript-eslint/no-require-imports
      copy = require('../../../src/metadata/args/MetadataArgsStorage') as typeof copy;
    });
    expect(copy?.getArgs).not.toBe(getArgs);
    expect(copy?.getArgs(Order)).toBe(getArgs(Order));
  });

  test('MetadataArgsStorage keeps no class alive: the storage is weak', () => {
    const storage = (globalThis as unknown as Record<symbol, unknown>)[Symbol.for('toolwright/metadata/1')];
    expect(storage).toBeInstanceOf(WeakMap);
  });
});
