import { messageOf } from '../common/text.js';
import type { Logger } from '../interface/Logger.js';
import type { ResourceRegistry } from '../resource/ResourceRegistry.js';

/**
 * Provides the eager singletons of an application, then of its prompts; if one fails, those that were opened are closed.
 *
 * @throws ProviderError, UnboundResourceError, CircularDependencyError
 */
export async function openResources(
  ofApplication: ResourceRegistry,
  ofPrompts: readonly ResourceRegistry[],
  logger: Logger,
): Promise<void> {
  try {
    for (const layer of [ofApplication, ...ofPrompts]) await layer.open();
  } catch (failure) {
    for (const { name, error } of await ofApplication.close())
      logger.error(`The resource ${name} failed to close: ${messageOf(error)}`, { error });
    throw failure;
  }
}
