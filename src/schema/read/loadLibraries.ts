import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { LatePackage } from '../../common/LatePackage.js';
import { memoize } from '../../common/memoize.js';
import { classTransformer, classValidator, findRuleStorage } from './libraries.js';

/** Loads the libraries that an application needs, or that its bundle contains. */
export async function loadLibraries(): Promise<void> {
  await (findRuleStorage() === undefined ? classValidator.loadBundled() : classValidator.load());
  if (!readsInstalledStorage()) await classTransformer.load();
}

/**
 * Checks whether the decorators that users import write to the storage of class-transformer that this package reads. A bundler that
 * uses its `module` field bundles it twice, and `@Exclude`d values would then reach the model without a warning.
 */
export const seesDecorators = memoize((): boolean => {
  if (readsInstalledStorage()) return true;
  // Once: the storage of class-transformer keeps every class that was ever marked.
  class Probe {}
  classTransformer.get().Expose()(Probe.prototype, 'mark');
  return defaultMetadataStorage.findExposeMetadata(Probe, 'mark') !== undefined;
});

/** False in a bundle that contains class-transformer. */
function readsInstalledStorage(): boolean {
  const path = 'class-transformer/cjs/storage.js';
  const installed = new LatePackage(path, () => import('class-transformer/cjs/storage.js'));
  return installed.isInstalled() && installed.get().defaultMetadataStorage === defaultMetadataStorage;
}
