import { createHash } from 'node:crypto';
import { createProgramNames, snakeCase } from 'toolwright/internal';
import { MAX_NAME_CHARS } from '../limits.js';

const LEGAL = /^[a-z0-9_-]{1,64}$/;

/** Names of Toolwright's own tools, which no tool of a server may have. */
const OURS = new Set(['open_sections', 'read_section', 'search_tools', 'execute_program']);

/**
 * Returns legal names for names of a server, in the same order. Legal names are kept; all others are rewritten with legal characters.
 * If the result would be ambiguous, because letters were replaced, the name is too long, or another tool has it, a hash of the whole
 * remote name is added. So two names are never confused.
 *
 * @param remoteNames each once
 */
export function makeLegalNames(remoteNames: readonly string[], prefix = ''): readonly string[] {
  const wanted = remoteNames.map((name) => (prefix === '' ? name : `${prefix}_${name}`));
  const taken = new Set<string>();
  const names = new Map<string, string>();
  const isFree = (name: string): boolean => !taken.has(identifierOf(name));
  const give = (remote: string, name: string): void => {
    taken.add(identifierOf(name));
    names.set(remote, name);
  };
  // Names are sorted, so that the order of the list does not matter. Legal names that programs do not have to respell come first.
  const sorted = [...wanted].sort();
  const legal = sorted.filter((name) => LEGAL.test(name) && !isReserved(name));
  for (const name of [...legal.filter((each) => !each.includes('-')), ...legal.filter((each) => each.includes('-'))])
    if (isFree(name)) give(name, name);
  const rest = sorted.filter((name) => !names.has(name));
  const bases = rest.map((name) => ({ name, ...baseOf(name) }));
  const owners = new Map<string, number>();
  for (const { base } of bases) owners.set(identifierOf(base), (owners.get(identifierOf(base)) ?? 0) + 1);
  for (const { name, base, isClear } of bases)
    give(name, isClear && owners.get(identifierOf(base)) === 1 && isFree(base) ? base : addHash(name, base, isFree));
  return wanted.map((name) => names.get(name) ?? name);
}

interface Base {
  readonly base: string;
  /** False if the spelling loses a part of the name. */
  readonly isClear: boolean;
}

function baseOf(name: string): Base {
  const ascii = name.replace(/[^ -~]+/g, '_');
  const spelled = snakeCase(ascii)
    .replace(/[^a-z0-9_-]+/g, '_')
    .replace(/^_+|_+$/g, '');
  const base = spelled === '' ? 'tool' : isReserved(spelled) ? `${spelled}_tool` : spelled;
  return {
    base: base.slice(0, MAX_NAME_CHARS),
    isClear: ascii === name && spelled !== '' && base.length <= MAX_NAME_CHARS,
  };
}

function addHash(name: string, base: string, isFree: (name: string) => boolean): string {
  const hash = createHash('sha256').update(name).digest('hex');
  for (let length = 6; ; length++) {
    const candidate = `${base.slice(0, MAX_NAME_CHARS - 1 - length)}_${hash.slice(0, length)}`;
    if (isFree(candidate) || length === MAX_NAME_CHARS - 2) return candidate;
  }
}

function isReserved(name: string): boolean {
  return OURS.has(name) || createProgramNames([name]).objections.length > 0;
}

function identifierOf(name: string): string {
  return createProgramNames([name]).identifiers.get(name) ?? name;
}
