import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';

/** A line of a source file. */
export interface SourcePlace {
  /** The path relative to the folder, with `/`. */
  readonly file: string;
  /** The line, counted from 1. */
  readonly line: number;
}

/** Finds the lines on which classes and their members are declared. A name that several files declare is not found. */
export class SourcePlaces {
  readonly #folder: string;
  readonly #classes = new Map<string, readonly (SourcePlace & { readonly text: readonly string[] })[]>();

  /** @param files the absolute paths of the project's files */
  constructor(folder: string, files: readonly string[]) {
    this.#folder = folder;
    for (const file of files) this.#read(file);
  }

  /** Finds the line of a declaration. @param place `Class`, or `Class.member` */
  of(place: string): SourcePlace | undefined {
    const [name = '', member] = place.split('.');
    const [found, second] = this.#classes.get(name) ?? [];
    if (found === undefined || second !== undefined) return undefined;
    const { file, line, text } = found;
    if (member === undefined) return { file, line };
    const declared = new RegExp(
      `^\\s*(?:(?:public|protected|private|readonly|static|async|declare|override|@\\w+\\([^]*\\))\\s+)*${escapePattern(member)}\\s*[?!]?\\s*[(:=<;]`,
    );
    const at = text.slice(line).findIndex((each) => declared.test(each));
    return { file, line: at < 0 ? line : line + at + 1 };
  }

  #read(file: string): void {
    const text = readFileSync(file, 'utf8').split('\n');
    for (const [index, each] of text.entries()) {
      const name = /^\s*(?:export\s+)?(?:default\s+)?(?:abstract\s+)?class\s+([\w$]+)/.exec(each)?.[1];
      if (name === undefined) continue;
      const place = { file: relative(this.#folder, file).split(sep).join('/'), line: index + 1, text };
      this.#classes.set(name, [...(this.#classes.get(name) ?? []), place]);
    }
  }
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
