import type { Options, Program } from 'acorn';
import type { Parsers } from './parsers.js';

/** The result of a parser: the tree, or its complaint with the offset. */
export type Parsed =
  | { readonly ok: true; readonly program: Program }
  | { readonly ok: false; readonly at: number; readonly complaint: string };

/** How programs are read: as scripts, which is what the engine does. */
export const scriptOptions: Options = {
  ecmaVersion: 'latest',
  sourceType: 'script',
  allowAwaitOutsideFunction: true,
  allowReturnOutsideFunction: true,
  // So that they can be refused by their name.
  allowImportExportEverywhere: true,
  allowHashBang: false,
};

/** Parses a text as the body of a strict async function, and alone: what would close the function around it is an error. */
export function parseScript(text: string, { Strict }: Parsers): Parsed {
  let odd: number | undefined;
  const onComment: Options['onComment'] = (isBlock, _text, start) => {
    if (!isBlock && !text.startsWith('//', start)) odd ??= start;
  };
  try {
    const program = Strict.parse(text, { ...scriptOptions, onComment });
    // Engines differ in what they take for such a comment, and the rest of its line must not be code for one of them only.
    if (odd !== undefined) return { ok: false, at: odd, complaint: 'A comment begins with //, not with <!-- or -->' };
    return { ok: true, program };
  } catch (error) {
    if (error instanceof RangeError) return { ok: false, at: 0, complaint: tooDeep };
    const { pos, message } = error as SyntaxError & { readonly pos: number };
    return { ok: false, at: pos, complaint: message.replace(/ \(\d+:\d+\)$/, '') };
  }
}

/** The complaint about a program for which the stack of a parser does not suffice. */
export const tooDeep = 'The program is nested too deeply to be read';
