import type { Constructor } from '../common/types.js';
import { argsOf } from '../metadata/args/MetadataArgsStorage.js';
import type { PromptOptions } from '../metadata/args/SectionMetadataArgs.js';
import { requireLegacyDecorators, requireParentheses, written } from './place.js';

/**
 * Declares a class as a prompt: a tree of sections under one namespace and key (docs/contract.md, 3).
 *
 * @example
 * @Prompt({ ns: 'support', key: 'desk', sections: [OrdersSection] })
 * export class SupportDesk {}
 */
export function Prompt(options: PromptOptions): (type: Constructor) => void {
  requireParentheses('Prompt', options);
  return (type, ...rest: unknown[]) => {
    requireLegacyDecorators('Prompt', rest[0]);
    argsOf(type).prompt = written(options);
  };
}
