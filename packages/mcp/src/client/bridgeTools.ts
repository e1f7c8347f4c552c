import { type Constructor, defineTool, type ToolHints } from 'toolwright';
import type { Awaitable } from 'toolwright/types';
import { describeValue, didYouMean, joinBounded } from 'toolwright/internal/light';
import { getArgs, consoleLogger, MAX_TIMER_MS } from 'toolwright/internal';
import { McpBridgeError } from './mcpErrors.js';
import type { QuestionLimits } from './askServer.js';
import { callRemote } from './callRemote.js';
import { makeLegalNames } from './makeLegalNames.js';
import { listRemote } from './listRemote.js';
import type { McpBridgeOptions, RemoteTool } from './McpBridgeOptions.js';
import type { McpConnectionSource } from './McpConnection.js';
import { keepPinned } from './pins/keepPinned.js';
import { readRemote, type RemoteDeclaration } from './readRemote.js';
import { toAsciiDescription } from './sanitizeText.js';

const MIB = 1_048_576;
const PREFIX = /^[a-z0-9][a-z0-9_]{0,31}$/;

/**
 * Returns the tools of a server. They can be listed like tools of `defineTool` (decision 5).
 *
 * @param place the prefix of the tools' names in messages
 * @throws McpBridgeError E677, E681, E682, E683
 */
export async function bridgeTools(
  source: McpConnectionSource,
  options: McpBridgeOptions,
  place = 'mcp',
): Promise<readonly Constructor[]> {
  const { resources = true, prefix = '', logger = consoleLogger } = options;
  const limits = limitsOf(options);
  const listed = await readRemote(await listRemote(source, resources, limits, logger), logger);
  const declared = await dropUnpinned(
    listed,
    options,
    options.prefix !== undefined && place === 'mcp' ? options.prefix : place,
  );
  const names = makeLegalNames(
    declared.map(({ remoteName }) => remoteName),
    prefix,
  );
  const tools = declared.map((declaration, index) => ({ ...declaration, name: names[index] ?? '' }));
  return selectTools(tools, options.names).map((tool) => toolOf(source, tool, options, { limits, place }));
}

/** Leaves out declarations that differ from their pins, if the host wants pins. */
function dropUnpinned(
  declared: readonly RemoteDeclaration[],
  { pins, onChange = 'refuse', logger = consoleLogger, resources = true }: McpBridgeOptions,
  server: string,
): Awaitable<readonly RemoteDeclaration[]> {
  if (pins === undefined) return declared;
  const isListed = (kind: string): boolean => resources || kind === 'tool';
  return keepPinned(declared, { server, store: pins, onChange, logger, isListed });
}

function limitsOf(options: McpBridgeOptions): QuestionLimits {
  const { callTimeoutMs = 60_000, maxResultBytes = 8 * MIB, prefix, names, each, pins, onChange } = options;
  const problem =
    Object.entries({ callTimeoutMs, maxResultBytes })
      .filter(([, value]) => !Number.isSafeInteger(value) || value <= 0 || value > MAX_TIMER_MS)
      .map(([name, value]) => `${name} is ${describeValue(value)}; a whole number above 0 is expected`)[0] ??
    (prefix !== undefined && !PREFIX.test(prefix)
      ? `prefix is ${describeValue(prefix)}; 1 to 32 of a-z, 0-9 and _ are expected`
      : names !== undefined && !Array.isArray(names)
        ? `names is ${describeValue(names)}; a list of names is expected`
        : each !== undefined && typeof each !== 'function'
          ? `each is ${describeValue(each)}; a function is expected`
          : pins !== undefined && !isPinStore(pins)
            ? `pins is ${describeValue(pins)}; pinFile(path), or an object with read and write, is expected`
            : onChange !== undefined && onChange !== 'refuse' && typeof onChange !== 'function'
              ? `onChange is ${describeValue(onChange)}; 'refuse' or a function is expected`
              : undefined);
  if (problem !== undefined) throw new McpBridgeError(problem, { code: 'E683', place: 'MCP bridge' });
  return { timeoutMs: callTimeoutMs, maxBytes: maxResultBytes };
}

function isPinStore(given: unknown): boolean {
  const { read, write } = Object(given) as Readonly<Record<string, unknown>>;
  return typeof read === 'function' && typeof write === 'function';
}

type NamedDeclaration = RemoteDeclaration & Pick<RemoteTool, 'name'>;

/**
 * Selects tools by their names. Names must match exactly: otherwise a server could pass off `write-file` as `write_file`, and so
 * avoid an approval that the host declares by name.
 *
 * @throws McpBridgeError E682
 */
function selectTools(
  tools: readonly NamedDeclaration[],
  names: readonly string[] | undefined,
): readonly NamedDeclaration[] {
  if (names === undefined) return tools;
  const meant = names.map((wanted) => {
    const [tool, ...others] = tools.filter((each) => isCalled(each, wanted));
    if (tool !== undefined && others.length === 0) return tool;
    const known = tools.map(({ name }) => name);
    const problem =
      tool === undefined
        ? `the server has no ${describeValue(wanted)}.${didYouMean(wanted, known)} It has: ${joinBounded(known)}`
        : `${describeValue(wanted)} is the name of several tools, here or at the server; they are called here: ${joinBounded([tool, ...others].map(({ name }) => name))}`;
    throw new McpBridgeError(problem, { code: 'E682', place: 'MCP bridge' });
  });
  return tools.filter((tool) => meant.includes(tool));
}

function isCalled({ kind, name, remoteName }: NamedDeclaration, wanted: string): boolean {
  // Resources can only be read, so the name that programs use is accepted, too: `read_App_Config` for `read_App Config`.
  const spelled = kind === 'tool' ? remoteName : remoteName.replace(/[^A-Za-z0-9_$]/g, '_');
  return wanted === name || wanted === remoteName || wanted === spelled;
}

function toolOf(
  source: McpConnectionSource,
  tool: NamedDeclaration,
  { each, trustAnnotations = false }: McpBridgeOptions,
  { limits, place }: { readonly limits: QuestionLimits; readonly place: string },
): Constructor {
  const { kind, name, remoteName, description, annotations, params, output } = tool;
  const own = each?.({ kind, name, remoteName, description, annotations });
  const fallback = `Calls ${name} of an MCP server, which says nothing more of it.`;
  const type = defineTool({
    timeoutMs: limits.timeoutMs,
    hints: trustAnnotations || kind !== 'tool' ? annotations : hintsOf(annotations),
    ...own,
    name,
    description: own?.description ?? toAsciiDescription(description, fallback),
    params: params ?? null,
    ...(output === undefined ? {} : { returnSchema: output.schema }),
    // A host may call the plain function without a context.
    handler: (given, context) => callRemote(source, tool, given, { limits, context }),
  });
  getArgs(type).remoteName = remoteName;
  Object.defineProperty(type, 'name', { value: `${place}.${name}` });
  return type;
}

/** Accepts a server's hint that a tool is destructive. Only the host can declare that a tool is harmless. */
function hintsOf({ destructive }: ToolHints): ToolHints {
  return { openWorld: true, ...(destructive === true ? { destructive } : {}) };
}
