import type { Constructor } from '../common/types.js';
import { getArgs } from '../metadata/args/MetadataArgsStorage.js';
import type { CheckedOutput, OutputReference } from '../metadata/args/OutputReference.js';
import type { PromptOptions } from '../metadata/args/SectionMetadataArgs.js';
import { requireLegacyDecorators, requireParentheses } from './place.js';

/** The class decorator returned by `@Prompt`. Checks the property `output` of the class, if there is one. */
export type PromptDecorator<O> = <Instance extends object>(
  type: Constructor<Instance> & CheckedOutput<Instance, O>,
) => void;

/**
 * Declares a class as a prompt: a tree of sections under one namespace and key (docs/contract.md, 3). If you set
 * `output`, also declare the property `output` on the class. It gives `response.output` its type; a decorator cannot
 * add it.
 *
 * @example
 * @Prompt({ ns: 'support', key: 'desk', sections: [OrdersSection], output: Verdict })
 * export class SupportDesk {
 *   declare readonly output: Verdict;
 * }
 */
export function Prompt<const O extends OutputReference | undefined = undefined>(
  options: PromptOptions<O>,
): PromptDecorator<O> {
  requireParentheses('Prompt', options);
  const given = options as PromptOptions | undefined;
  return (type: Constructor, ...rest: unknown[]) => {
    requireLegacyDecorators('Prompt', rest[0]);
    getArgs(type).prompt = given ?? null;
  };
}
