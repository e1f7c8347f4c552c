import { getApplicationParts } from 'toolwright/internal';
import type { Application, JsonSchema } from 'toolwright';
import { CliError } from '../CliError.js';
import { nameOf } from '../load/withApplication.js';

/** The parts of a tool that its callers rely on. */
export interface ContractTool {
  readonly description: string;
  /** The schema of the arguments, draft 2020-12. */
  readonly input: JsonSchema;
}

/** The tools of an application by prompt and name, disabled sections included. */
export interface Contract {
  readonly format: 'toolwright/contract';
  readonly version: 1;
  readonly prompts: Readonly<Record<string, { readonly tools: Readonly<Record<string, ContractTool>> }>>;
}

export function buildContract(app: Application): Contract {
  const prompts = [...getApplicationParts(app).prompts.values()].map((prompt) => {
    const tools = prompt.metadata.allSections.flatMap((section) => section.tools);
    const entries = tools.map(({ name, description, schema }) => [name, { description, input: schema }] as const);
    return [nameOf(prompt), { tools: sortEntries(entries) }] as const;
  });
  return { format: 'toolwright/contract', version: 1, prompts: sortEntries(prompts) };
}

/** Checks that a value is a contract. @throws CliError E970 */
export function parseContract(value: unknown, place: string): Contract {
  const { format, version, prompts } = (value ?? {}) as Partial<Contract>;
  if (format === 'toolwright/contract' && version === 1 && typeof prompts === 'object') return value as Contract;
  throw new CliError('it is not a contract of version 1', {
    code: 'E970',
    place,
    remedy: `Write it: toolwright check --write-contract ${place}.`,
  });
}

/** Sorts entries by name, so that files differ only if the contracts do. */
function sortEntries<T>(entries: readonly (readonly [string, T])[]): Readonly<Record<string, T>> {
  return Object.fromEntries([...entries].sort(([one], [other]) => (one < other ? -1 : 1)));
}
