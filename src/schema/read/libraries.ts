// class-validator and class-transformer take 80 ms and 18 MB of a cold start. Their decorators store metadata elsewhere, so most classes
// are read without them.
import type { MetadataStorage } from 'class-validator';
import { LatePackage } from '../../common/LatePackage.js';

export const classTransformer = new LatePackage('class-transformer', () => import('class-transformer'));
export const classValidator = new LatePackage('class-validator', () => import('class-validator'));

/** Returns the rules of class-validator's decorators, which all its copies share; undefined until the first decorator runs. */
export function findRuleStorage(): MetadataStorage | undefined {
  return (globalThis as { classValidatorMetadataStorage?: MetadataStorage }).classValidatorMetadataStorage;
}
