import { didYouMean } from 'toolwright/internal/light';
import { compareSchemas } from './compareSchemas.js';
import type { Contract, ContractTool } from './Contract.js';

/** A difference of two contracts. */
export interface ContractChange {
  /** The prompt as `ns/key`. */
  readonly prompt: string;
  /** The tool; undefined for a change of the whole prompt. */
  readonly tool: string | undefined;
  /** The path within the arguments; empty for the tool. */
  readonly path: string;
  /** True if a caller of the first contract may fail with the second. */
  readonly breaking: boolean;
  readonly what: string;
}

/** Compares a contract with the one before it. Returns all differences, breaking ones first. */
export function compareContracts(before: Contract, after: Contract): readonly ContractChange[] {
  const names = new Set([...Object.keys(before.prompts), ...Object.keys(after.prompts)]);
  const changes = [...names].flatMap((prompt): readonly ContractChange[] => {
    const [had, has] = [before.prompts[prompt], after.prompts[prompt]];
    const whole = { prompt, tool: undefined, path: '' };
    if (has === undefined) return [{ ...whole, breaking: true, what: 'the prompt was removed' }];
    if (had === undefined) return [{ ...whole, breaking: false, what: 'the prompt was added' }];
    return compareTools(prompt, had.tools, has.tools);
  });
  return [...changes].sort((one, other) => Number(other.breaking) - Number(one.breaking));
}

type Tools = Readonly<Record<string, ContractTool>>;

function compareTools(prompt: string, had: Tools, has: Tools): readonly ContractChange[] {
  const added = Object.keys(has).filter((name) => !(name in had));
  return [...new Set([...Object.keys(had), ...added])].flatMap((tool): readonly ContractChange[] => {
    const [before, after] = [had[tool], has[tool]];
    const whole = { prompt, tool, path: '' };
    if (after === undefined)
      return [{ ...whole, breaking: true, what: `the tool was removed.${didYouMean(tool, added)}` }];
    if (before === undefined) return [{ ...whole, breaking: false, what: 'the tool was added' }];
    const described =
      before.description === after.description ? [] : [{ ...whole, breaking: false, what: 'the description changed' }];
    return [...compareSchemas(before.input, after.input).map((change) => ({ prompt, tool, ...change })), ...described];
  });
}
