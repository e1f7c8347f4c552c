import { ToolwrightError } from 'toolwright';
import type { QuestionReply } from 'toolwright/conversations';
import { partsOf, readJson, textOf } from './readBody.js';
import { type ApiRequest, streamApprovals, streamRows } from './streams.js';
import type { ForkDesk } from './ForkDesk.js';
import { InspectorError } from './InspectorError.js';
import type { PromptDesk } from './PromptDesk.js';

type Answer = (api: ApiRequest) => Promise<unknown> | object | undefined;

/** The handlers of the page's requests by method and path. A handler that returns undefined has sent its answer itself. */
export const routes: Readonly<Record<string, Answer>> = {
  'GET about': ({ inspector }) => ({
    allowCalls: inspector.allowCalls,
    hasApp: inspector.desk !== undefined,
    hasApprovals: inspector.inbox.isOpen,
    prompts: inspector.desk?.list() ?? [],
    sources: inspector.sources.map(({ id, name, head, dropped, limits, kept }) => ({
      id,
      name,
      head,
      ...(id === 'live' ? { dropped, limits, kept } : {}),
    })),
  }),
  'GET rows': streamRows,
  'GET approvals': streamApprovals,
  'GET entry': (api) => sourceOf(api).detail(seqOf(api)),
  'GET state': (api) => sourceOf(api).state(seqOf(api)),
  'GET points': (api) => sourceOf(api).points,
  'GET fork': (api) => forkAt(api),
  'GET renderings': (api) => sourceOf(api).renderings,
  'GET bundle': ({ inspector }) => ({ text: inspector.bundleText() }),
  'GET test': (api) => ({ text: sourceOf(api).test(api.query.get('run') ?? undefined, runnerOf(api)) }),
  'POST bundle': async ({ inspector, query, request }) => {
    if (request.headers['content-type'] !== 'application/x-ndjson') throw new InspectorError(415, 'expected a bundle');
    const name = (query.get('name') ?? 'bundle').slice(0, 100);
    const { id } = await inspector.open(name, partsOf(request));
    return { id };
  },
  'POST render': async (api) => deskOf(api).render(await readJson(api.request)),
  'POST sent': async (api) => deskOf(api).previewRequest(await readJson(api.request)),
  'POST tool': async (api) => deskOf(api).tool(await readJson(api.request)),
  'POST rehearse': async (api) => {
    requireCalls(api);
    return deskOf(api).rehearse(await readJson(api.request));
  },
  'POST fork': async (api) => {
    requireCalls(api);
    const body = await readJson(api.request);
    return forksOf(api, textOf(body, 'source')).start(seqIn(body['seq']), body);
  },
  'POST approve': async (api) => {
    requireCalls(api);
    const body = await readJson(api.request);
    return { said: await api.inspector.inbox.answer(textOf(body, 'id'), replyIn(body)) };
  },
};

/** @throws InspectorError 400 */
function replyIn(body: Readonly<Record<string, unknown>>): QuestionReply {
  const by = 'inspector';
  switch (body['kind']) {
    case 'approved':
    case 'repeat':
      return { kind: body['kind'], by };
    case 'denied':
      return { kind: 'denied', reason: textOf(body, 'reason'), by };
    case 'outcome':
      return { kind: 'outcome', text: textOf(body, 'text'), by };
    default:
      throw new InspectorError(400, 'expected kind as approved, denied, repeat or outcome', 'kind');
  }
}

function requireCalls({ inspector }: ApiRequest): void {
  if (inspector.allowCalls) return;
  const remedy = 'Start it with --allow-calls, or allowCalls: true.';
  throw new InspectorError(403, 'the inspector is read-only: calls are not allowed', 'allowCalls', remedy);
}

/** Returns the parts that may be changed at a moment, or the reason why it cannot be forked. */
async function forkAt(api: ApiRequest): Promise<object> {
  try {
    const forks = forksOf(api, api.query.get('source') ?? '');
    requireCalls(api);
    const { name } = await forks.adapter();
    return { choices: forks.choices(seqOf(api)), adapter: name };
  } catch (error) {
    if (!(error instanceof ToolwrightError)) throw error;
    return { problem: error.message, remedy: error.remedy };
  }
}

/** @throws InspectorError 409 for a bundle */
function forksOf({ inspector }: ApiRequest, source: string): ForkDesk {
  if (inspector.forks !== undefined && source === 'live') return inspector.forks;
  const remedy = 'Inspect the application (toolwright inspect --app …), run it, and choose Live.';
  throw new InspectorError(
    409,
    'a bundle is a recording: a run cannot continue from it without its application',
    source,
    remedy,
  );
}

function deskOf({ inspector }: ApiRequest): PromptDesk {
  if (inspector.desk === undefined) throw new InspectorError(404, 'no application is inspected');
  return inspector.desk;
}

function sourceOf({ inspector, query }: ApiRequest) {
  return inspector.source(query.get('source') ?? '');
}

function seqOf({ query }: ApiRequest): number {
  const text = query.get('seq') ?? '';
  return seqIn(text.trim() === '' ? undefined : Number(text));
}

/** @throws InspectorError 400 */
function seqIn(given: unknown): number {
  if (Number.isSafeInteger(given)) return given as number;
  throw new InspectorError(400, 'expected seq as a whole number', 'seq');
}

function runnerOf({ query }: ApiRequest): 'node' | 'jest' | 'vitest' {
  const runner = query.get('runner');
  return runner === 'jest' || runner === 'vitest' ? runner : 'node';
}
