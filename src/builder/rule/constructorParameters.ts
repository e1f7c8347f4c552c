import { className } from '../../common/classes.js';
import { finding } from '../../error/Finding.js';
import { knownArgs } from '../../metadata/args/MetadataArgsStorage.js';
import type { Rule } from '../PromptDraft.js';

/** E207: `@Param` and `@Ctx` are for parameters of handlers; those of a constructor are up to the container. */
export const constructorParameters: Rule = ({ allSections, allTools }) =>
  [...new Set([...allSections.map(({ type }) => type), ...allTools.map(({ owner }) => owner)])].flatMap((type) => {
    const args = knownArgs(type);
    const rows = [
      ...(args?.parameters ?? []).map((row) => ({ ...row, decorator: '@Param' })),
      ...(args?.contexts ?? []).map((row) => ({ ...row, decorator: '@Ctx' })),
    ];
    return rows
      .filter(({ member }) => member === undefined)
      .map(({ decorator, index }) =>
        finding('E207', `${decorator} is applied to parameter ${String(index)} of the constructor`, {
          place: className(type),
          className: className(type),
          member: 'constructor',
          remedy: 'Remove it: the container decides what a constructor gets.',
        }),
      );
  });
