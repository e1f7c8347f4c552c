import type { ModulesContainer } from '@nestjs/core';
import { isClass, isInstance } from '../../common/classes.js';
import type { Constructor } from '../../common/types.js';
import { ContainerError } from '../../error/infrastructureErrors.js';
import { knownArgs } from '../../metadata/args/MetadataArgsStorage.js';
import { FeaturePrompts } from './FeaturePrompts.js';

/**
 * Returns the prompts of an application: those that are listed and those that features add to it; without any, every prompt that
 * is a provider of a module and belongs to no other application.
 *
 * @param name of the application; undefined for the first
 * @throws ContainerError E956 if there is none
 */
export function promptsIn(
  modules: ModulesContainer,
  name: string | undefined,
  listed: readonly Constructor[] = [],
): readonly Constructor[] {
  const wrappers = [...modules.values()].flatMap(({ providers }) => [...providers.values()]);
  const features = wrappers.flatMap(({ instance }) => (isInstance(instance, FeaturePrompts) ? [instance] : []));
  const mine = features.filter((feature) => feature.name === name).flatMap(({ prompts }) => prompts);
  const named = new Set([...listed, ...mine]);
  if (named.size > 0) return [...named];
  const others = new Set(features.flatMap(({ prompts }) => prompts));
  const found = wrappers.flatMap(({ token }) =>
    isClass(token) && knownArgs(token)?.prompt !== undefined && !others.has(token) ? [token] : [],
  );
  if (found.length > 0) return [...new Set(found)];
  throw new ContainerError('no module provides a class with @Prompt', {
    code: 'E956',
    place: name === undefined ? 'ToolwrightModule' : `ToolwrightModule "${name}"`,
  });
}
