import type { Options, Program } from 'acorn';
import type { Parsers } from './createParsers.js';

/** The result of a parser: the tree, or its error with the offset. */
export type Parsed =
  | { readonly ok: true; readonly program: Program }
  | { readonly ok: false; readonly at: number; readonly diagnostic: string };

/** Parser options: programs are scripts, as in the engine. */
export const scriptOptions: Options = {
  ecmaVersion: 'latest',
  sourceType: 'script',
  allowAwaitOutsideFunction: true,
  allowReturnOutsideFunction: true,
  // Allowed here, so that they are refused with a specific message.
  allowImportExportEverywhere: true,
  allowHashBang: false,
};

/** Parses a text as the body of a strict async function. An unmatched `}`, which would close that function, is an error. */
export function parseScript(text: string, { Strict }: Parsers): Parsed {
  let odd: number | undefined;
  const onComment: Options['onComment'] = (isBlock, _text, start) => {
    if (!isBlock && !text.startsWith('//', start)) odd ??= start;
  };
  try {
    const program = Strict.parse(text, { ...scriptOptions, onComment });
    // Parsers differ on such comments; the rest of the line must not be code for only one of them.
    if (odd !== undefined) return { ok: false, at: odd, diagnostic: 'A comment begins with //, not with <!-- or -->' };
    return { ok: true, program };
  } catch (error) {
    if (error instanceof RangeError) return { ok: false, at: 0, diagnostic: tooDeep };
    const { pos, message } = error as SyntaxError & { readonly pos: number };
    return { ok: false, at: pos, diagnostic: message.replace(/ \(\d+:\d+\)$/, '') };
  }
}

/** The error for a program that overflows the stack of a parser. */
export const tooDeep = 'The program is nested too deeply to be read';
