import { runInThisContext } from 'node:vm';
import { hasPrivateState } from '../../src/session/state/stateValues.js';

// From texts: what transpiles this file would write semicolons.
const found = (text: string): boolean => hasPrivateState(runInThisContext(`(${text})`));

describe('a class with private fields is found', () => {
  test.each([
    ['with a value', 'class { #count = 0; }'],
    ['without a value', 'class { #count; }'],
    ['behind a method', 'class { add() {} #count = 0 }'],
    ['in a base class', 'class extends class { #count = 0 } {}'],
    ['without semicolons', 'class {\n  #count\n  constructor() {\n    this.#count = 0\n  }\n}'],
    ['last in the class', 'class{#count}'],
    ['with letters beyond ASCII', 'class { #größe = 1; }'],
    ['behind a comment', 'class { /** How many. */ #count = 0; }'],
    ['before a comment', 'class {\n  #count // how many\n}'],
  ])('a private field is found: %s', (_what, text) => {
    expect(found(text)).toBe(true);
  });

  test.each([
    ['private methods', 'class { #add() {} }'],
    ['private accessors', 'class { get #count() { return 1; } set #count(_) {} }'],
    ['private static fields', 'class { static #count = 0; }'],
    ['a check for a method', 'class { #add() {} static is(x) { return (\n#add in x); } }'],
    ['nothing private', 'class { count = 0 }'],
  ])('a class with %s is not taken for one with private fields', (_what, text) => {
    expect(found(text)).toBe(false);
  });

  test('objects, lists and values that are not classes are not taken for classes with private fields', () => {
    expect([Object, Array, {}, undefined, 'class { #count = 0 }'].map(hasPrivateState)).toEqual(Array(5).fill(false));
  });
});
