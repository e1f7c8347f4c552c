import { ToolRefusal } from '../../error/toolErrors.js';
import { MAX_DECODING_ROUNDS, MAX_GIVEN_PATH_CHARS, MAX_GIVEN_PATH_SHOWN_CHARS } from '../limits.js';

interface Rule {
  readonly broken: (path: string) => boolean;
  /** Continues the sentence `The path "…" cannot be used: it`. */
  readonly why: string;
  readonly remedy: string;
}

/** Returns true for `.`, `..` and names that some hosts take for them: they drop white space, and dots at the end. */
const isDots = (name: string): boolean => /^[\s.]+$/.test(name) && name.includes('.');

const relative = 'Paths are relative to the root of the workspace: write src/app.ts.';

/** The rules for paths in every spelling. The message names the first violated one (docs/contract.md, 15). */
const rules: readonly Rule[] = [
  {
    broken: (path) => path.length > MAX_GIVEN_PATH_CHARS,
    why: 'is longer than 4,096 characters',
    remedy: 'Choose a shorter one.',
  },
  {
    broken: (path) => /[\0-\x1f\x7f]/.test(path),
    why: 'has a NUL or another control character in it',
    remedy: 'Leave it out.',
  },
  { broken: (path) => path.includes('\\'), why: 'has a backslash in it', remedy: 'Separate names by /.' },
  {
    broken: (path) => path.split('/').some(isDots),
    why: 'has . or .. among its names',
    remedy:
      'Name every directory from the root of the workspace on: write src/app.ts. To list the root, leave the path out.',
  },
  { broken: (path) => /^[a-z]:/i.test(path), why: 'names a drive', remedy: relative },
  { broken: (path) => /^[a-z][a-z\d+.-]*:\/\//i.test(path), why: 'is a URL', remedy: relative },
  { broken: (path) => path.trimStart().startsWith('/'), why: 'begins with a slash', remedy: relative },
  {
    broken: (path) => path.trimStart().startsWith('~'),
    why: 'begins with ~, and there are no home directories',
    remedy: relative,
  },
];

/** The ways in which other software may decode a path. */
const decodings: readonly ((path: string) => string)[] = [
  (path) => path.replace(/\p{Default_Ignorable_Code_Point}/gu, ''),
  // Full-width dots and slashes become plain ones, … becomes three dots.
  (path) => path.normalize('NFKC'),
  (path) => path.replace(/(?:%[\da-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString()),
];

/**
 * Checks the path of a file, and returns it unchanged.
 *
 * @throws ToolRefusal if it could mean something outside the workspace, or names the root
 */
export function requireFilePath(path: string): string {
  if (isRoot(path)) throw new ToolRefusal('The path names the root of the workspace. Name something below it.');
  return checkPath(path);
}

/** Checks the path of a directory or a file. An empty path and `/` mean the root. @throws ToolRefusal */
export function requirePath(path: string): string {
  return isRoot(path) ? '/' : checkPath(path);
}

/** Checks a pattern of file names. @throws ToolRefusal if it could never match, because . and .. are not names */
export function requireFilePattern(pattern: string): string {
  if (!pattern.split('/').some(isDots)) return pattern;
  throw new ToolRefusal(
    `The file pattern ${quotePath(pattern)} has . or .. among its names. It is relative to path: write src/**/*.ts.`,
  );
}

function isRoot(path: string): boolean {
  return path === '' || path === '/';
}

/** Checks the path itself, and each form that repeated decoding results in. */
function checkPath(path: string): string {
  refuseBroken(path, path);
  let reading = path;
  for (let round = 0; round < MAX_DECODING_ROUNDS; round++) {
    const before = reading;
    for (const decode of decodings) {
      reading = decode(reading);
      refuseBroken(path, reading);
    }
    if (reading === before) return path;
  }
  throw new ToolRefusal(
    `The path ${quotePath(path)} cannot be used: it is encoded over and over. Write it as plain text.`,
  );
}

function refuseBroken(path: string, reading: string): void {
  const rule = rules.find(({ broken }) => broken(reading));
  if (rule === undefined) return;
  const decoded = reading === path ? '' : `, read as ${quotePath(reading)},`;
  throw new ToolRefusal(`The path ${quotePath(path)}${decoded} cannot be used: it ${rule.why}. ${rule.remedy}`);
}

function quotePath(path: string): string {
  return JSON.stringify(
    path.length > MAX_GIVEN_PATH_SHOWN_CHARS ? `${path.slice(0, MAX_GIVEN_PATH_SHOWN_CHARS)}…` : path,
  );
}
