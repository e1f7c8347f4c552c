import { runInNewContext } from 'node:vm';
import type { Constructor } from 'toolwright';
import { takesNothing } from '../../src/container/constructorPath.js';

class Store {}
class Base {
  constructor(readonly store: Store) {}
}

/** A class as a compiler or minifier might have written it. */
const compiled = (text: string): Constructor => runInNewContext(`(${text})`, { Base, Store }) as Constructor;

describe('takesNothing', () => {
  test.each<[string, string]>([
    ['a constructor that supplies what its base needs', 'class extends Base { constructor() { super(new Store()); } }'],
    ['one on its own', 'class { constructor() { this.rows = 0; } }'],
    ['a minified one', 'class e extends Base{rows=1;constructor(){super(new Store)}}'],
    ['one over several lines', 'class extends Base {\n  constructor(\n  )\n  {\n    super(new Store());\n  }\n}'],
    [
      'one below a comment',
      'class extends Base { // the constructor (store) of Base\n constructor() { super(new Store()); } }',
    ],
    [
      'one beside texts that speak of constructors',
      'class extends Base { constructor() { super(new Store()); } say() { return "constructor(a)" + `class X` + \'class\'; } }',
    ],
  ])('takesNothing is true for %s', (_case, text) => {
    expect(takesNothing(compiled(text))).toBe(true);
  });

  test.each<[string, string]>([
    ['a class without constructor', 'class extends Base {}'],
    ['one with fields', 'class extends Base { rows = 1; }'],
    [
      'fields as TypeScript writes them',
      'class extends Base { constructor() { super(...arguments); this.rows = 1; } }',
    ],
    ['fields as esbuild writes them', 'class extends Base { constructor(...args) { super(...args); this.rows = 1; } }'],
    ['a constructor with a parameter', 'class extends Base { constructor(store) { super(store); } }'],
    ['a parameter with a default', 'class extends Base { constructor(store = new Store()) { super(store); } }'],
    [
      'a constructor that was commented out',
      'class extends Base { /* constructor() { super(new Store()); } */ rows = 1; }',
    ],
    ['one in a comment of one line', 'class extends Base {\n // constructor() { super(); }\n rows = 1; }'],
    ['one in a text', 'class extends Base { code = "constructor() { super(); }"; }'],
    ['one in a template', 'class extends Base { code = `constructor() { super(); }`; }'],
    ['one of a class inside', 'class extends Base { inner = class { constructor() {} }; }'],
    ['a member of that name on an object', 'class extends Base { make() { return this.constructor(); } }'],
    ['a function', 'function () {}'],
  ])('takesNothing is false for %s', (_case, text) => {
    expect(takesNothing(compiled(text))).toBe(false);
  });
});
