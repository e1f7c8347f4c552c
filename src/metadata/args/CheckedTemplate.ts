import type { MarkdownTemplate } from '../Template.js';

type Lower =
  | ('a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'k' | 'l' | 'm')
  | ('n' | 'o' | 'p' | 'q' | 'r' | 's' | 't' | 'u' | 'v' | 'w' | 'x' | 'y' | 'z');
type WordCharacter = Lower | Uppercase<Lower> | '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | '_';

/** The name at the beginning of a text. */
type LeadingName<S extends string, Name extends string = ''> = S extends `${infer First}${infer Rest}`
  ? First extends WordCharacter
    ? LeadingName<Rest, `${Name}${First}`>
    : Name
  : Name;

/** The names of the placeholders in a text, as read by `compileTemplate`: `${name}`, `$name`, but not after `$$`. */
type PlaceholdersOf<S extends string, Names = never> = S extends `${string}$${infer Rest}`
  ? Rest extends `$${infer After}`
    ? PlaceholdersOf<After, Names>
    : Rest extends `{${infer Name}}${infer After}`
      ? PlaceholdersOf<After, Names | Name>
      : PlaceholdersOf<Rest, Names | Exclude<LeadingName<Rest>, ''>>
  : Names;

/** The properties that a placeholder may name: all except methods. */
type PropertyOf<P> = {
  [K in keyof P & string]: P[K] extends (...args: never[]) => unknown ? never : K;
}[keyof P & string];

/** The placeholders without a property in the params class. A text without a literal type is checked at run time. */
type UnknownPlaceholder<T, P> = T extends string
  ? string extends T
    ? never
    : Exclude<PlaceholdersOf<T>, PropertyOf<P>>
  : T extends MarkdownTemplate<infer Needs>
    ? P extends Needs
      ? never
      : Exclude<keyof Needs, keyof P>
    : never;

/**
 * `unknown` for a template that matches its params class; otherwise options named after the fault, which no text is
 * assignable to. A section that names no params class may use the class of its parent, so its placeholders are not
 * checked here.
 */
export type CheckedTemplate<T, P, Member extends 'template' | 'summary' = 'template'> = unknown extends P
  ? unknown
  : [UnknownPlaceholder<T, P>] extends [never]
    ? unknown
    : { readonly [K in Member]: { readonly 'the params class has no such property': UnknownPlaceholder<T, P> } };
