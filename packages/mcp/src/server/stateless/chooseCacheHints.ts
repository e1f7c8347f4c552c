import type { CacheHint } from '@modelcontextprotocol/server';
import { STATIC_LIST_TTL_MS } from '../../limits.js';
import { isSectionUri } from '../listSectionResources.js';
import type { ServedPrompt } from '../ServedPrompt.js';

/** For lists and texts that are the same for each client until the server is started again. */
const SHARED: CacheHint = { ttlMs: STATIC_LIST_TTL_MS, cacheScope: 'public' };
/** For everything else. */
const OWN: CacheHint = { ttlMs: 0, cacheScope: 'private' };

/** The cacheable methods that are configured, and not decided for each result. */
type HintedMethod = 'tools/list' | 'prompts/list' | 'resources/list' | 'resources/templates/list' | 'server/discover';

/** Decides how long clients may keep lists, and whether they may share them. */
export function chooseCacheHints(served: ServedPrompt): Record<HintedMethod, CacheHint> {
  const hint = isStatic(served) ? SHARED : OWN;
  const { isFixed } = served.services;
  return {
    'tools/list': hint,
    'resources/list': hint,
    'server/discover': hint,
    'prompts/list': isFixed ? SHARED : OWN,
    'resources/templates/list': SHARED,
  };
}

/** Adds the hint to a document that was read: only sections are known not to change. */
export function addCacheHint<T extends object>(served: ServedPrompt, method: string, params: object, result: T): T {
  const isShared =
    method === 'resources/read' &&
    'uri' in params &&
    isSectionUri(served.prompt, params.uri) &&
    !('resultType' in result) &&
    isStatic(served);
  return isShared ? { ...result, ...SHARED } : result;
}

/**
 * Says whether a rendering is the same for each client: one prompt for all, whose declaration has no hooks, and neither sessions nor
 * overrides that could change it.
 */
function isStatic({ prompt, services }: ServedPrompt): boolean {
  const { isFixed, options } = services;
  if (!isFixed || options.session !== undefined || prompt.services.texts !== undefined) return false;
  return prompt.metadata.allSections.every(
    ({ enabled, renderBody, visibility }) =>
      enabled === undefined && renderBody === undefined && typeof visibility !== 'function',
  );
}
