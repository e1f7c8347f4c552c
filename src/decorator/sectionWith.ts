import { className, isClass } from '../common/classes.js';
import type { Constructor } from '../common/types.js';
import { createFinding } from '../error/Finding.js';
import { PromptValidationError } from '../error/PromptError.js';
import { getArgs, findArgs } from '../metadata/args/MetadataArgsStorage.js';

/**
 * Derives a section with other params, to list instead of its class. It has the same text, tools and hooks, and its own
 * instance. The params replace its `defaults` and are checked like them at creation. A section without a params class
 * accepts none.
 *
 * @param params an instance of the section's params class, or a plain object that parses into it
 * @throws PromptValidationError E301, E307
 * @example
 * static with(params: PlanningParams) { return sectionWith(PlanningSection, params); }
 * @Prompt({ ns: 'support', key: 'desk', sections: [PlanningSection.with({ strategy: PlanningStrategy.REACT })] })
 */
export function sectionWith(type: Constructor, params: object): Constructor {
  const args = isClass(type) ? findArgs(type) : undefined;
  if (args?.section === undefined || args.section === null) throw createSectionError(type);
  // An implicit constructor passes on all arguments of the container.
  const derived = class extends type {};
  Object.defineProperty(derived, 'name', { value: className(type) });
  const own = getArgs(derived);
  own.defined = args.defined;
  own.section = { ...args.section, defaults: params };
  return derived;
}

function createSectionError(type: unknown): PromptValidationError {
  const place = `sectionWith(${isClass(type) ? className(type) : ''})`;
  return new PromptValidationError([
    isClass(type)
      ? createFinding('E301', 'the class has no @Section', { place, className: className(type) })
      : createFinding('E307', 'the class was undefined when sectionWith was called', {
          place,
          remedy:
            'Call it where both classes are defined: in a thunk, () => sectionWith(X, params), or in a third file.',
        }),
  ]);
}
