import type { Constructor } from '../common/types.js';

// Comments and texts may hold anything, a constructor that was commented out among it.
const HIDDEN = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;

/**
 * True for a class whose own constructor takes nothing and hands nothing on: `constructor() { super(new Store()); }`. Neither
 * `length` nor emitted types tell it from an implicit constructor, which hands on everything, when no decorator stands on the class;
 * only its text does. Where the text is not plain, the answer is no: a dependency too many is better than one too few.
 */
export function takesNothing(type: Constructor): boolean {
  if (type.length > 0) return false;
  const text = Function.prototype.toString.call(type).replace(HIDDEN, '');
  const [own, ...others] = text.match(/(?<![\w$.#])constructor\s*\([^)]*\)/g) ?? [];
  const isOnlyClass = text.match(/(?<![\w$.#])class(?![\w$])/g)?.length === 1;
  // What compilers write for a class with fields and no constructor is `constructor() { super(...arguments); … }`.
  return (
    own !== undefined &&
    others.length === 0 &&
    isOnlyClass &&
    /^constructor\s*\(\s*\)$/.test(own) &&
    !/\bsuper\s*\(\s*\.\.\./.test(text)
  );
}
