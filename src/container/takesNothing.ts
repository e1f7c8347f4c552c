import type { Constructor } from '../common/types.js';

// Comments and strings may contain anything, for instance a constructor in a comment.
const HIDDEN = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;

/**
 * Returns true if the class has its own constructor that takes no arguments and passes none on: `constructor() {
 * super(new Store()); }`. Without a decorator on the class, neither `length` nor emitted types distinguish it from an
 * implicit constructor, which passes on all arguments; only its source text does. In doubt, returns false: an extra
 * dependency is better than a missing one.
 */
export function takesNothing(type: Constructor): boolean {
  if (type.length > 0) return false;
  const text = Function.prototype.toString.call(type).replace(HIDDEN, '');
  const [own, ...others] = text.match(/(?<![\w$.#])constructor\s*\([^)]*\)/g) ?? [];
  const isOnlyClass = text.match(/(?<![\w$.#])class(?![\w$])/g)?.length === 1;
  // For a class with fields and no constructor, compilers emit `constructor() { super(...arguments); … }`.
  return (
    own !== undefined &&
    others.length === 0 &&
    isOnlyClass &&
    /^constructor\s*\(\s*\)$/.test(own) &&
    !/\bsuper\s*\(\s*\.\.\./.test(text)
  );
}
