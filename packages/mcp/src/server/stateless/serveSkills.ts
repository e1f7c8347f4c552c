import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { ReadResourceResult } from '@modelcontextprotocol/sdk/types.js';
import type { SkillCatalog } from '@modelcontextprotocol/server/ext/skills';
import type { Logger } from 'toolwright';
import type { McpHandlers } from '../McpHandlers.js';
import type { McpSkill } from '../McpSkill.js';
import type { ServedPrompt } from '../ServedPrompt.js';

/** The capability of a server with skills (SEP-2640). */
export const SKILLS_CAPABILITY = { 'io.modelcontextprotocol/skills': { directoryRead: true } };

const SKILLS_URI = 'skill://';
/** The revision that every client of these servers speaks; it decides whether answers have cache hints. */
const REVISION = '2026-07-28';
const METHODS = ['skills/list', 'skills/get', 'resources/directory/read'] as const;

type SkillMethod = (typeof METHODS)[number];
type Answer = (params: object, context: ServerContext) => Promise<Record<string, unknown>>;

/** The resources that the SDK registers for a catalog. */
interface SkillAnswers {
  readonly methods: ReadonlyMap<string, Answer>;
  readonly read: (uri: URL) => Promise<ReadResourceResult>;
}

/** The catalogs of lists that do not change. Hashing the files of a list takes longer than a request. */
const catalogs = new WeakMap<readonly McpSkill[], Promise<SkillCatalog>>();

/**
 * Serves the skills of the options. The extension of the SDK answers; it is attached to a recorder, because resources are read by
 * handlers of ours, and because the catalog is built with the first request for skills and not with every server.
 *
 * @param handlers the handlers of the server; without `resources/read` for a request that is not about skills
 * @returns the handlers, of which `resources/read` also reads files of skills
 */
export function serveSkills(
  server: McpServer['server'],
  served: ServedPrompt,
  handlers: Partial<McpHandlers>,
): Partial<McpHandlers> {
  const { 'resources/read': readResource } = handlers;
  if (served.services.options.skills === undefined || readResource === undefined) return handlers;
  const open = async (): Promise<SkillAnswers> => recordAnswers(await openCatalog(served));
  for (const method of METHODS)
    server.setRequestHandler(method, { params: ANY_PARAMS }, async (params, context) =>
      answerSkills(await open(), method, params as object, context),
    );
  return {
    ...handlers,
    'resources/read': async (params, request) =>
      params.uri.startsWith(SKILLS_URI) && URL.canParse(params.uri)
        ? (await open()).read(new URL(params.uri))
        : readResource(params, request),
  };
}

/** Params are checked by the schemas of the extension, once its catalog is open. */
const ANY_PARAMS = {
  '~standard': { version: 1, vendor: 'toolwright', validate: (value: unknown) => ({ value: value ?? {} }) },
} as const;

function answerSkills(
  { methods }: SkillAnswers,
  method: SkillMethod,
  params: object,
  context: ServerContext,
): Promise<Record<string, unknown>> {
  const answer = methods.get(method);
  if (answer === undefined) throw new ProtocolError(ProtocolErrorCode.MethodNotFound, `${method} is not served`);
  return answer(params, context);
}

async function openCatalog(served: ServedPrompt): Promise<SkillCatalog> {
  const { skills = [] } = served.services.options;
  const { logger } = served.services;
  if (typeof skills === 'function') return loadCatalog(await skills(await served.renderPrompt()), logger);
  const known = catalogs.get(skills) ?? loadCatalog(skills, logger);
  catalogs.set(skills, known);
  return known;
}

async function loadCatalog(skills: readonly McpSkill[], logger: Logger): Promise<SkillCatalog> {
  const { memorySkillFiles, SkillsExtension } = await import('@modelcontextprotocol/server/ext/skills');
  const files = skills.flatMap(({ name, files: own }) =>
    [...own].map(([path, bytes]) => [`${name}/${path}`, bytes] as const),
  );
  const catalog = await SkillsExtension.load(memorySkillFiles(Object.fromEntries(files)), {
    onWarning: ({ path, message }) => logger.warn(`MCP: skill ${path}: ${message}`),
  });
  // The types of both builds of the SDK differ only in a private member.
  return catalog as unknown as SkillCatalog;
}

/** Attaches a catalog to a recorder, and returns the registered resources. */
function recordAnswers(catalog: SkillCatalog): SkillAnswers {
  const methods = new Map<string, Answer>();
  let read: ((uri: URL) => Promise<ReadResourceResult>) | undefined;
  const recorder = {
    isConnected: () => false,
    registerResource: (_name: string, _template: object, _config: object, reader: typeof read) => (read = reader),
    server: {
      assertCanSetRequestHandler: () => undefined,
      registerCapabilities: () => undefined,
      getNegotiatedProtocolVersion: () => REVISION,
      setRequestHandler: (method: string, { params: schema }: { readonly params: ParamsSchema }, answer: Answer) =>
        methods.set(method, (params, context) => answer(checkParams(schema, params), context)),
    },
  };
  catalog.attach(recorder as unknown as McpServer);
  if (read === undefined)
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'The extension of the SDK registered no reader.');
  return { methods, read };
}

/** The used part of a schema of the extension. */
interface ParamsSchema {
  readonly safeParse: (value: unknown) => { readonly success: boolean; readonly data?: object };
}

function checkParams(schema: ParamsSchema, params: object): object {
  const { success, data } = schema.safeParse(params);
  if (success && data !== undefined) return data;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The params of the request do not fit.');
}
