import 'reflect-metadata';
import type { Constructor } from 'toolwright';
import {
  createCircleError,
  constructorTypes,
  readEmittedParameters,
  isService,
  formatPath,
} from '../../src/container/constructorPath.js';

const emitted = () => (_type: Constructor) => undefined;

describe('pathText', () => {
  test('pathText joins names by arrows', () => {
    class Desk {}
    class Orders {}
    expect(formatPath([Desk, Orders, (() => class {})()])).toBe('Desk → Orders → (anonymous class)');
    expect(formatPath([])).toBe('');
  });
});

describe('circleError', () => {
  test('circleError leaves out what only leads to the circle', () => {
    class Desk {}
    class Left {}
    class Right {}
    const error = createCircleError([Desk, Left, Right, Left]);
    expect(error).toMatchObject({ code: 'E402', place: 'Desk' });
    expect(error.message).toContain('each other: Left → Right → Left\n');
    expect(error.message).not.toContain('Desk →');
  });
});

describe('constructorTypes', () => {
  test('a class without constructor, or with one without parameters, needs nothing', () => {
    class None {}
    @emitted()
    class Empty {
      readonly rows: number;
      constructor() {
        this.rows = 0;
      }
    }
    expect(constructorTypes([None])).toEqual([]);
    expect(constructorTypes([Empty])).toEqual([]);
    expect(constructorTypes([])).toEqual([]);
  });

  test('constructorTypes returns the classes of an own or inherited constructor', () => {
    class Repository {}
    @emitted()
    class Base {
      constructor(readonly repository: Repository) {}
    }
    class Middle extends Base {}
    class Last extends Middle {}
    for (const type of [Base, Middle, Last]) {
      expect(constructorTypes([type])).toEqual([Repository]);
      expect(readEmittedParameters(type)).toEqual([Repository]);
    }
  });

  test('constructorTypes names the parameter, the class and the whole path', () => {
    class Desk {}
    @emitted()
    class Orders {
      constructor(
        readonly desk: Desk,
        readonly limit: number,
      ) {}
    }
    expect(() => constructorTypes([Desk, Orders])).toThrow(/parameter 1 of Orders is of type Number.*Desk → Orders/);
  });

  test('the types that the compiler emits for interfaces and primitives are not services', () => {
    for (const type of [Object, String, Number, Boolean, Array, Function, Date, Map, Set, Promise, Symbol, BigInt]) {
      expect(isService(type)).toBe(false);
    }
    for (const value of [undefined, null, 'Orders', () => Object]) expect(isService(value)).toBe(false);
    expect(isService(class Orders {})).toBe(true);
  });
});
