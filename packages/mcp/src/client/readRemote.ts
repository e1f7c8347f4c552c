import { setImmediate } from 'node:timers/promises';
import type { JsonSchema, Logger, ToolHints } from 'toolwright';
import { quote } from 'toolwright/internal/light';
import type { StandardSchema } from 'toolwright/schema';
import { MAX_ALL_SCHEMAS_VALUES, MAX_DESCRIPTION_CHARS, MAX_REMOTE_NAME_CHARS, MAX_URI_CHARS } from '../limits.js';
import { valuesOf } from './findSchemaProblem.js';
import type { RemoteEntry, RemoteLists } from './listRemote.js';
import type { McpQuestion } from './askServer.js';
import type { RemoteTool } from './McpBridgeOptions.js';
import { makeKeysLegal } from './legalKeys.js';
import { readHeaderMirrors, writeMirroredHeaders } from './mirrorHeaders.js';
import { toRemoteParams, readRemoteSchema, type RemoteSchema, type Unusable } from './readRemoteSchema.js';
import { sanitizeText } from './sanitizeText.js';
import { expandTemplate, readTemplate, variablesOf, type UriTemplate } from './uriTemplate.js';

/** A validated tool of a server, without its bridged name. */
export interface RemoteDeclaration extends Omit<RemoteTool, 'name'> {
  /** Undefined for a tool without arguments. */
  readonly params: StandardSchema | undefined;
  /** The schema of its answers; undefined if the server does not declare one. */
  readonly output: RemoteSchema | undefined;
  /** The declaration as the server sent it. */
  readonly source: RemoteEntry;
  /** Returns the request for a call. */
  readonly question: (params: unknown) => McpQuestion;
}

/**
 * Reads the entries of a server's lists. Unusable entries are left out with a warning (E687). Yields to other work of the process
 * between entries.
 */
export async function readRemote(
  { tools, resources, templates, isModern }: RemoteLists,
  logger: Logger,
): Promise<readonly RemoteDeclaration[]> {
  const leaveOut = (entry: RemoteEntry, problem: string): void => {
    const name = typeof entry['name'] === 'string' ? entry['name'] : '';
    logger.warn(`E687 MCP bridge: ${quote(name)} is left out: ${problem} (docs/errors.md#e687)`, {
      code: 'E687',
      remoteName: name,
      problem,
    });
  };
  const found = new Map<string, RemoteDeclaration>();
  let left = MAX_ALL_SCHEMAS_VALUES;
  const read = async (
    entries: readonly RemoteEntry[],
    reader: (entry: RemoteEntry) => RemoteDeclaration | Unusable,
  ): Promise<void> => {
    for (const entry of entries) {
      await setImmediate();
      const { name } = entry;
      const isName = typeof name === 'string' && name.trim() !== '' && name.length <= MAX_REMOTE_NAME_CHARS;
      const declaration = isName ? reader(entry) : { problem: 'its name is not a text of 1 to 1,000 characters' };
      if ('problem' in declaration) leaveOut(entry, declaration.problem);
      else if (declaration.kind === 'tool' && found.has(declaration.remoteName))
        leaveOut(entry, 'its name occurs twice');
      else {
        // A tool may already have the name that a resource would get.
        const { remoteName } = declaration;
        const own = found.has(remoteName) ? `${remoteName} ${declaration.kind} ${String(found.size)}` : remoteName;
        found.set(own, { ...declaration, remoteName: own });
      }
    }
  };
  await read(tools, (entry) => {
    const values = valuesOf(entry['inputSchema']) + valuesOf(entry['outputSchema']);
    // A schema that is too large by itself is refused elsewhere, and does not count here.
    if (values > left && values <= MAX_ALL_SCHEMAS_VALUES)
      return {
        problem: `the schemas of the server hold more than ${String(MAX_ALL_SCHEMAS_VALUES)} values; choose tools with names`,
      };
    const declaration = readTool(entry, isModern, leaveOut);
    if (!('problem' in declaration)) left -= values;
    return declaration;
  });
  await read(makeNamesUnique(resources, 'uri'), readResource);
  await read(makeNamesUnique(templates, 'uriTemplate'), readResourceTemplate);
  return [...found.values()];
}

function readTool(
  entry: RemoteEntry,
  isModern: boolean,
  leaveOut: (entry: RemoteEntry, problem: string) => void,
): RemoteDeclaration | Unusable {
  const { name, inputSchema, outputSchema, execution } = entry;
  if ((execution as { taskSupport?: unknown } | undefined)?.taskSupport === 'required')
    return { problem: 'it runs as a task only' };
  const keys = makeKeysLegal(inputSchema);
  if ('problem' in keys) return { problem: `its inputSchema ${keys.problem}` };
  const params = toRemoteParams(keys.schema);
  if ('problem' in params) return { problem: `its inputSchema ${params.problem}` };
  const mirrors = isModern ? readHeaderMirrors(inputSchema) : [];
  if (typeof mirrors === 'string') return { problem: `its inputSchema is refused: ${mirrors}` };
  const output = outputSchema === undefined || outputSchema === null ? undefined : readRemoteSchema(outputSchema);
  if (output !== undefined && 'problem' in output)
    leaveOut({ name: `outputSchema of ${String(name)}` }, `it ${output.problem}`);
  return {
    kind: 'tool',
    remoteName: String(name),
    description: descriptionOf(entry),
    annotations: annotationsOf(entry['annotations']),
    source: entry,
    params,
    output: output === undefined || 'problem' in output ? undefined : output,
    question: (given) => {
      const args = keys.restore(given ?? {});
      return {
        method: 'tools/call',
        params: { name, arguments: args },
        headers: writeMirroredHeaders(mirrors, args),
      };
    },
  };
}

/** Makes the names of resources unique by adding their URIs. Names may occur twice, URIs may not. */
function makeNamesUnique(entries: readonly RemoteEntry[], key: string): readonly RemoteEntry[] {
  const names = new Set<unknown>();
  return entries.map((entry) => {
    const { name } = entry;
    if (!names.has(name)) {
      names.add(name);
      return entry;
    }
    return { ...entry, name: `${String(name)} ${String(entry[key])}` };
  });
}

const READS: ToolHints = Object.freeze({ readOnly: true });

function readResource(entry: RemoteEntry): RemoteDeclaration | Unusable {
  const { uri } = entry;
  if (typeof uri !== 'string' || uri === '' || uri.length > MAX_URI_CHARS)
    return { problem: 'its URI is not a text of 1 to 4,000 characters' };
  return { ...resourceOf(entry, 'resource'), question: () => ({ method: 'resources/read', params: { uri } }) };
}

function readResourceTemplate(entry: RemoteEntry): RemoteDeclaration | Unusable {
  const template = typeof entry['uriTemplate'] === 'string' ? readTemplate(entry['uriTemplate']) : undefined;
  if (template === undefined) return { problem: 'its uriTemplate is not a template of RFC 6570' };
  const params = toRemoteParams(toTemplateSchema(template));
  if ('problem' in params) return { problem: `its uriTemplate ${params.problem}` };
  return {
    ...resourceOf(entry, 'template'),
    params,
    question: (given) => {
      const uri = expandTemplate(template, (given ?? {}) as Readonly<Record<string, string>>);
      return { method: 'resources/read', params: { uri } };
    },
  };
}

function toTemplateSchema(template: UriTemplate): JsonSchema {
  const variables = variablesOf(template);
  const list = { type: 'array', items: { type: 'string' } };
  return {
    type: 'object',
    properties: Object.fromEntries(
      variables.map(({ name, explode }) => [
        name,
        explode ? { anyOf: [{ type: 'string' }, list] } : { type: 'string' },
      ]),
    ),
    required: variables.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

function resourceOf(entry: RemoteEntry, kind: 'resource' | 'template'): Omit<RemoteDeclaration, 'question'> {
  const { name, mimeType } = entry;
  const type = typeof mimeType === 'string' ? ` (${mimeType})` : '';
  const said = descriptionOf(entry);
  return {
    kind,
    remoteName: `${kind === 'resource' ? 'read' : 'query'}_${String(name)}`,
    description: sanitizeText(said === '' ? `Reads the resource ${String(name)}${type}.` : said, MAX_DESCRIPTION_CHARS),
    annotations: READS,
    source: entry,
    params: undefined,
    output: undefined,
  };
}

function descriptionOf({ description, title }: RemoteEntry): string {
  const text = [description, title].find((each) => typeof each === 'string' && each.trim() !== '');
  return typeof text === 'string' ? sanitizeText(text, MAX_DESCRIPTION_CHARS) : '';
}

/** Reads annotations. Like MCP, assumes the worst for missing ones. */
function annotationsOf(given: unknown): ToolHints {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = Object(given) as Readonly<
    Record<string, unknown>
  >;
  const readOnly = readOnlyHint === true;
  return Object.freeze({
    readOnly,
    destructive: !readOnly && destructiveHint !== false,
    idempotent: readOnly || idempotentHint === true,
    openWorld: openWorldHint !== false,
  });
}
