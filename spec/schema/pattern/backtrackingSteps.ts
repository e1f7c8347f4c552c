/** A small pattern, written down without a parser. */
export type Tree =
  | { readonly kind: 'characters'; readonly text: string; readonly matched: string }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Tree[] }
  | {
      readonly kind: 'repeat';
      readonly part: Tree;
      readonly quantifier: string;
      readonly min: number;
      readonly max: number;
    }
  | { readonly kind: 'assertion'; readonly text: '^' | '$' | '\\b' | '\\B' };

type Instruction =
  | { readonly do: 'match'; readonly matched: string }
  | { readonly do: 'assert'; readonly text: string }
  | { readonly do: 'try'; readonly first: number; readonly then: number }
  | { readonly do: 'mark' | 'demandProgress'; readonly mark: number };

export function sourceOf(tree: Tree): string {
  switch (tree.kind) {
    case 'characters':
    case 'assertion':
      return tree.text;
    case 'sequence':
      return `(?:${tree.parts.map(sourceOf).join('')})`;
    case 'choice':
      return `(?:${tree.parts.map(sourceOf).join('|')})`;
    case 'repeat':
      return `(?:${sourceOf(tree.part)})${tree.quantifier}`;
  }
}

/** The number of quantifiers without a maximum: a bound of the power of the text's length that matching can take. */
export function loopsIn(tree: Tree): number {
  if (tree.kind === 'repeat') return loopsIn(tree.part) * (tree.min + 1) + (tree.max === Infinity ? 1 : 0);
  if (tree.kind === 'characters' || tree.kind === 'assertion') return 0;
  return tree.parts.reduce((sum, part) => sum + loopsIn(part), 0);
}

/**
 * Counts the steps of a backtracking matcher until it has found out that no way leads through the text. They are not taken
 * one by one: what follows at a place costs the same each time, so it is counted once. Texts must not match.
 */
export function stepsOf(tree: Tree): (text: string) => number {
  const program: Instruction[] = [];
  let depth = 0;

  function compile(node: Tree): void {
    switch (node.kind) {
      case 'characters':
        program.push({ do: 'match', matched: node.matched });
        break;
      case 'assertion':
        program.push({ do: 'assert', text: node.text });
        break;
      case 'sequence':
        node.parts.forEach(compile);
        break;
      case 'choice':
        compileChoice(node.parts);
        break;
      case 'repeat':
        for (let time = 0; time < node.min; time++) compile(node.part);
        if (node.max === Infinity) compileLoop(node.part);
        else compileOptional(node.part, node.max - node.min);
    }
  }

  function compileChoice([part, ...others]: readonly Tree[]): void {
    if (part === undefined) return;
    if (others.length === 0) return compile(part);
    const fork = program.push({ do: 'try', first: program.length + 1, then: 0 }) - 1;
    compile(part);
    const exit = jump();
    program[fork] = { do: 'try', first: fork + 1, then: program.length };
    compileChoice(others);
    program[exit] = { do: 'try', first: program.length, then: -1 };
  }

  function compileLoop(part: Tree): void {
    const fork = jump();
    compileTime(part);
    program.push({ do: 'try', first: fork, then: -1 });
    program[fork] = { do: 'try', first: fork + 1, then: program.length };
  }

  function compileOptional(part: Tree, times: number): void {
    if (times === 0) return;
    const fork = jump();
    compileTime(part);
    compileOptional(part, times - 1);
    program[fork] = { do: 'try', first: fork + 1, then: program.length };
  }

  /** As ECMAScript has it: once the minimum is reached, a time that matches nothing is a failure. */
  function compileTime(part: Tree): void {
    // Times at one depth follow each other, so they can share a mark.
    const mark = depth++;
    program.push({ do: 'mark', mark });
    compile(part);
    program.push({ do: 'demandProgress', mark });
    depth--;
  }

  function jump(): number {
    return program.push({ do: 'try', first: 0, then: -1 }) - 1;
  }

  compile(tree);
  return (text) => count(program, text);
}

function count(program: readonly Instruction[], text: string): number {
  const known = new Map<number, number>();

  /** `stuck` has a bit for each time of a loop that has not matched a character yet. */
  function steps(at: number, position: number, stuck: number): number {
    const instruction = program[at];
    if (instruction === undefined) return 1;
    const key = (stuck * (text.length + 1) + position) * program.length + at;
    const before = known.get(key);
    if (before !== undefined) return before;
    const found = 1 + follow(instruction, at, position, stuck);
    known.set(key, found);
    return found;
  }

  function follow(instruction: Instruction, at: number, position: number, stuck: number): number {
    switch (instruction.do) {
      case 'match':
        return instruction.matched.includes(text[position] ?? 'none') ? steps(at + 1, position + 1, 0) : 0;
      case 'assert':
        return holds(instruction.text, text, position) ? steps(at + 1, position, stuck) : 0;
      case 'try':
        return (
          steps(instruction.first, position, stuck) +
          (instruction.then === -1 ? 0 : steps(instruction.then, position, stuck))
        );
      case 'mark':
        return steps(at + 1, position, stuck | (1 << instruction.mark));
      case 'demandProgress':
        return (stuck & (1 << instruction.mark)) === 0 ? steps(at + 1, position, stuck) : 0;
    }
  }

  // From the end, or the recursion would be as deep as the text is long.
  for (let position = text.length; position > 0; position--) {
    for (const [at, instruction] of program.entries()) if (instruction.do === 'match') steps(at + 1, position, 0);
  }
  return steps(0, 0, 0);
}

function holds(assertion: string, text: string, position: number): boolean {
  if (assertion === '^') return position === 0;
  if (assertion === '$') return position === text.length;
  const isBoundary = /\w/.test(text.charAt(position - 1)) !== /\w/.test(text.charAt(position));
  return isBoundary === (assertion === '\\b');
}
