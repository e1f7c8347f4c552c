import { MAX_NAMED_REPAIRS, MAX_REPAIRED_CHARS } from '../../common/limits.js';
import type { ArgumentRepair, RepairKind } from '../../value/ToolCall.js';

const wordings: Readonly<Record<RepairKind, string>> = {
  'code-fence': 'a code fence around the JSON',
  'trailing-comma': 'a comma after the last entry',
  'double-encoding': 'JSON written as a string',
  'single-value': 'a single value in place of a list',
  'number-text': 'a number written as a string',
  'boolean-text': 'a boolean written as a string',
};

/** Tells the model, after the text of its call, that its arguments were repaired. */
export function describeRepairs(repairs: readonly ArgumentRepair[]): string {
  return `[The arguments were not quite right, and were read as they were meant: ${listRepairs(repairs)}. Send them as the schema says.]`;
}

/** Tells the model which corrections would make its arguments valid. */
export function suggestRepairs(repairs: readonly ArgumentRepair[], meant: object, isSecret: boolean): string {
  const json = JSON.stringify(meant);
  const head = `They would be right but for this: ${listRepairs(repairs)}.`;
  return isSecret || json.length > MAX_REPAIRED_CHARS ? head : `${head} Corrected:\n${json}`;
}

function listRepairs(repairs: readonly ArgumentRepair[]): string {
  const texts = repairs.slice(0, MAX_NAMED_REPAIRS).map(({ path, kind }) => {
    const at = path.length > 80 ? `${path.slice(0, 80)}…` : path;
    return at === '' ? wordings[kind] : `${at}: ${wordings[kind]}`;
  });
  const rest = repairs.length - texts.length;
  return [...texts, ...(rest > 0 ? [`and ${String(rest)} more`] : [])].join('; ');
}
