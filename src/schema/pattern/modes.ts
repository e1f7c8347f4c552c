import type { AST } from '@eslint-community/regexpp';

/** The flags in force at one place of a pattern. */
export interface Modes {
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
  /** The flag that reads the pattern as code points, which Unicode properties need. */
  readonly unicode: '' | 'u' | 'v';
}

type Switch = 'ignoreCase' | 'multiline' | 'dotAll';

/** The flags in force at the node: those of the pattern, modified by enclosing groups such as `(?i:…)`. */
export function modesAt(node: AST.Node, flags: string): Modes {
  return {
    ignoreCase: isOn(node, 'ignoreCase') ?? flags.includes('i'),
    multiline: isOn(node, 'multiline') ?? flags.includes('m'),
    dotAll: isOn(node, 'dotAll') ?? flags.includes('s'),
    unicode: flags.includes('v') ? 'v' : flags.includes('u') ? 'u' : '',
  };
}

/** The setting of the innermost group that sets the flag; undefined if none does. */
function isOn(node: AST.Node, flag: Switch): boolean | undefined {
  for (let outer: AST.Node | null = node; outer !== null; outer = outer.parent) {
    if (outer.type !== 'Group' || outer.modifiers === null) continue;
    if (outer.modifiers.add[flag]) return true;
    if (outer.modifiers.remove?.[flag] === true) return false;
  }
  return undefined;
}
