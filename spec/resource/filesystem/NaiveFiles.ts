import type { FilesystemErrorKind } from '../../../src/error/FilesystemError';
import type { Answer, Kept, PlainStep } from './steps';

/** Thrown by the model where a filesystem refuses. */
class Refused extends Error {
  constructor(readonly refused: FilesystemErrorKind) {
    super(refused);
  }
}

const refuse = (kind: FilesystemErrorKind): never => {
  throw new Refused(kind);
};

/**
 * A filesystem in its simplest form: an object of texts by path and a list of directories, searched linearly. Shares no code with
 * what it is compared with.
 */
export class NaiveFiles {
  #files: Readonly<Record<string, string>> = {};
  #directories: readonly string[] = [];

  copy(): NaiveFiles {
    const copy = new NaiveFiles();
    [copy.#files, copy.#directories] = [this.#files, this.#directories];
    return copy;
  }

  get state(): unknown {
    return { files: this.#files, directories: [...this.#directories].sort() };
  }

  run(step: PlainStep, kept: Kept<NaiveFiles>): Answer {
    try {
      return { value: this.#do(step, kept) ?? null };
    } catch (error) {
      if (error instanceof Refused) return { refused: error.refused };
      throw error;
    }
  }

  #do(step: PlainStep, kept: Kept<NaiveFiles>): unknown {
    switch (step.do) {
      case 'read': {
        const lines = linesOf(this.#file(step.path));
        const rest = lines.slice(step.offset);
        const page = step.limit < 0 ? rest : rest.slice(0, step.limit);
        return {
          content: page.join('').replace(/\n$/, ''),
          path: step.path,
          totalLines: lines.length,
          offset: Math.min(step.offset, lines.length),
          limit: page.length,
          truncated: page.length < rest.length,
        };
      }
      case 'write':
        return this.#write(step);
      case 'edit': {
        const count = this.#file(step.path).split(step.oldText).length - 1;
        if (count === 0 || (count > 1 && !step.replaceAll)) refuse('invalidPattern');
        this.#put(step.path, this.#file(step.path).split(step.oldText).join(step.newText));
        return { path: step.path, replacements: count };
      }
      case 'list':
        return this.#names(this.#directory(step.path)).map((name) => this.#entry(under(step.path, name)));
      case 'stat': {
        const kind = this.#existing(step.path);
        return { ...this.#entry(step.path), sizeBytes: kind === 'file' ? this.#file(step.path).length : 0 };
      }
      case 'exists':
        return ['file', 'directory'].includes(this.#kind(step.path));
      case 'delete': {
        this.#delete(step);
        return;
      }
      case 'mkdir': {
        this.#mkdir(step);
        return;
      }
      case 'glob':
        return this.#glob(step.pattern, this.#directory(step.path));
      case 'grep':
        return this.#grep(step);
      case 'snapshot':
        kept.snapshot = this.copy();
        return undefined;
      case 'restore':
        if (kept.snapshot !== undefined)
          [this.#files, this.#directories] = [kept.snapshot.#files, kept.snapshot.#directories];
        return undefined;
    }
  }

  #write({ path, content, mode, createParents }: PlainStep & { do: 'write' }): unknown {
    if (path === '/') refuse('invalidPath');
    const kind = this.#kind(path);
    if (kind === 'blocked') refuse('notDirectory');
    if (kind === 'directory') refuse('isDirectory');
    if (!createParents && this.#kind(parentOf(path)) !== 'directory') refuse('notFound');
    if (mode === 'create' && kind === 'file') refuse('exists');
    this.#put(path, mode === 'append' ? (this.#files[path] ?? '') + content : content);
    return { path, bytesWritten: content.length, mode };
  }

  #delete({ path, recursive }: PlainStep & { do: 'delete' }): void {
    if (this.#existing(path) === 'directory' && !recursive && this.#names(path).length > 0) refuse('isDirectory');
    const isGone = (each: string): boolean => each === path || isBelow(each, path);
    this.#files = Object.fromEntries(Object.entries(this.#files).filter(([each]) => !isGone(each)));
    this.#directories = this.#directories.filter((each) => !isGone(each));
  }

  #mkdir({ path, parents, existOk }: PlainStep & { do: 'mkdir' }): void {
    const kind = this.#kind(path);
    if (kind === 'blocked') refuse('notDirectory');
    if (kind === 'directory' && existOk) return;
    if (kind !== 'missing') refuse('exists');
    if (!parents && this.#kind(parentOf(path)) !== 'directory') refuse('notFound');
    this.#makeDirectories(path);
  }

  #grep({ pattern, path, glob, maxMatches }: PlainStep & { do: 'grep' }): unknown {
    const found =
      this.#existing(path) === 'directory'
        ? this.#glob(glob, path)
        : [path].filter((each) => matches(glob, each.split('/').at(-1)!));
    return found
      .flatMap((each) =>
        linesOf(this.#files[each]!)
          .map((line) => line.replace('\n', ''))
          .map((text, index) => ({ path: each, line: index + 1, text, start: text.search(pattern) }))
          .filter(({ start }) => start >= 0),
      )
      .map((match) => ({ ...match, end: match.start + new RegExp(pattern).exec(match.text)![0].length }))
      .slice(0, maxMatches);
  }

  #glob(pattern: string, directory: string): readonly string[] {
    const below = Object.keys(this.#files).filter((path) => isBelow(path, directory));
    return below.filter((path) => matches(pattern, directory === '/' ? path : path.slice(directory.length + 1))).sort();
  }

  #kind(path: string): 'file' | 'directory' | 'missing' | 'blocked' {
    if (Object.hasOwn(this.#files, path)) return 'file';
    if (path === '/' || this.#directories.includes(path)) return 'directory';
    return Object.keys(this.#files).some((file) => isBelow(path, file)) ? 'blocked' : 'missing';
  }

  #existing(path: string): 'file' | 'directory' {
    const kind = this.#kind(path);
    if (kind === 'missing') return refuse('notFound');
    return kind === 'blocked' ? refuse('notDirectory') : kind;
  }

  #file(path: string): string {
    return this.#existing(path) === 'directory' ? refuse('isDirectory') : this.#files[path]!;
  }

  #directory(path: string): string {
    return this.#existing(path) === 'file' ? refuse('notDirectory') : path;
  }

  #names(directory: string): readonly string[] {
    const all = [...Object.keys(this.#files), ...this.#directories].filter((path) => parentOf(path) === directory);
    return all.map((path) => path.split('/').at(-1)!).sort();
  }

  #entry(path: string): object {
    const isFile = this.#kind(path) === 'file';
    return { name: path === '/' ? '/' : path.split('/').at(-1), path, isFile, isDirectory: !isFile };
  }

  #put(path: string, content: string): void {
    this.#makeDirectories(parentOf(path));
    this.#files = { ...this.#files, [path]: content };
  }

  #makeDirectories(path: string): void {
    for (let each = path; each !== '/'; each = parentOf(each))
      if (!this.#directories.includes(each)) this.#directories = [...this.#directories, each];
  }
}

function linesOf(text: string): readonly string[] {
  return text.match(/.*\n|.+$/g) ?? [];
}

function parentOf(path: string): string {
  return path.includes('/') ? path.replace(/\/?[^/]*$/, '') || '/' : '/';
}

function under(directory: string, name: string): string {
  return directory === '/' ? name : `${directory}/${name}`;
}

function isBelow(path: string, directory: string): boolean {
  return directory === '/' ? path !== '/' : path.startsWith(`${directory}/`);
}

/** Tries every way there is to read a pattern. */
export function matches(pattern: string, path: string): boolean {
  const tied = /^\/|.\/./.test(pattern) ? pattern.replace(/^\//, '') : `**/${pattern}`;
  return alternatives(tied).some((each) => matchNames(each.split('/'), path.split('/')));
}

function alternatives(pattern: string): readonly string[] {
  const [all, before, options, after] = /^(.*?)\{([^{}]*)\}(.*)$/s.exec(pattern) ?? [];
  if (all === undefined) return [pattern];
  return options!.split(',').flatMap((option) => alternatives(`${before!}${option}${after!}`));
}

function matchNames([wanted, ...others]: readonly string[], path: readonly string[]): boolean {
  if (wanted === undefined) return path.length === 0;
  if (wanted === '**' && others.length === 0) return path.length > 0;
  if (wanted === '**') return path.some((_, skipped) => matchNames(others, path.slice(skipped)));
  return path[0] !== undefined && matchName(wanted, path[0]) && matchNames(others, path.slice(1));
}

function matchName(wanted: string, name: string): boolean {
  const [first, ...rest] = wanted.match(/\[[^\]]*\]|[^]/gu) ?? [];
  if (first === undefined) return name === '';
  const [character = '', ...others] = Array.from(name);
  if (first === '*') return matchName(rest.join(''), name) || (name !== '' && matchName(wanted, others.join('')));
  if (name === '') return false;
  if (first.startsWith('[!'))
    return !first.slice(2, -1).includes(character) && matchName(rest.join(''), others.join(''));
  const fits = first === '?' || (first.startsWith('[') ? first.slice(1, -1).includes(character) : first === character);
  return fits && matchName(rest.join(''), others.join(''));
}
