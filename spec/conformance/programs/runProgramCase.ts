import type { ApprovalAnswer } from 'toolwright/policies';
import {
  type ExecuteOptions,
  type ExecutionResult,
  extractCode,
  type ProgramEvent,
  type Sandbox,
  Toolkit,
  type ToolkitOptions,
} from '@toolwright/programs';
import { unknownWord } from '../ConformanceFault';
import { silentLogger } from '../declare/silentLogger';
import type { Json } from '../format';
import type { ExpectedResult, ProgramCase } from './format';
import { mcpKit } from './mcpKit';
import { toolsOf, type HostSide } from './toolsOf';

/** The result of a case, in the terms of the format. */
export type ProgramOutcome = ExpectedResult & { readonly ms?: number };

/** Runs a case through the toolkit. @throws ConformanceFault C3 */
export async function runProgramCase(testCase: ProgramCase, sandbox: Sandbox): Promise<ProgramOutcome> {
  const { op, tools: specs, text = '', ts_text = text } = testCase;
  const host: HostSide = { shared: [], calls: 0, oddArguments: [] };
  if (op === 'extract_code') return { value: extractCode(ts_text).code };
  const settings: Omit<ToolkitOptions, 'app'> = {
    sandbox,
    check: testCase.options?.validate === false ? 'off' : 'syntax',
    assistToolChaining: testCase.toolkit?.assist_tool_chaining === true,
    logger: silentLogger,
    ...(testCase.options?.timeout === undefined ? {} : { timeoutMs: testCase.options.timeout * 1_000 }),
    ...(testCase.options?.calls_limit === undefined ? {} : { maxCalls: testCase.options.calls_limit }),
  };
  const build = (more: readonly object[] = []): Promise<Toolkit> =>
    Toolkit.from([...toolsOf(specs, host), ...more], settings);
  if (op === 'mcp') return bridged(testCase, host, settings);
  if (op === undefined) return executed(testCase, await build(), host);
  if (op === 'construct' || op === 'reserved') return raising(() => build());
  if (op === 'construct_bare') return raising(() => build([(value: unknown) => value]));
  const [name, argument = ''] = op.split(':');
  const kit = await build();
  if (name === 'get_tool') return raising(() => Promise.resolve(kit.get(argument)), { value: argument });
  if (name === 'filter') return filtered(kit, argument, testCase);
  throw unknownWord('op', op);
}

async function bridged(
  testCase: ProgramCase,
  host: HostSide,
  settings: Omit<ToolkitOptions, 'app'>,
): Promise<ProgramOutcome> {
  const { kit, sent, close } = await mcpKit(testCase.mcp ?? {}, toolsOf(testCase.tools, host), settings);
  try {
    const spelled = (name: string): string => name.replace(/\W/g, '_');
    const schemas = [...kit].map(({ name, metadata, returnSchema }) => [
      spelled(metadata.remoteName ?? name),
      returnSchema,
    ]);
    const return_schemas = Object.fromEntries(schemas) as Json;
    return { ...(await executed(testCase, kit, host)), sent_to_server: sent, return_schemas };
  } finally {
    await close();
  }
}

function filtered(kit: Toolkit, criterion: string, { expected }: ProgramCase): Promise<ProgramOutcome> {
  // The criterion itself is in no field: the names that are expected are the names that were asked for.
  const names = Array.isArray(expected.value) ? (expected.value as readonly string[]) : [];
  const namesOf = (found: Toolkit): ProgramOutcome => ({ value: [...found].map((tool) => tool.name) });
  return raising(async () => {
    if (criterion === 'names') return namesOf(kit.filter({ names }));
    if (criterion === 'where') return namesOf(kit.filter({ where: (tool) => names.includes(tool.name) }));
    if (criterion === '' || criterion === 'none') return namesOf(kit.filter({}));
    if (criterion === 'empty') return namesOf(kit.filter({ names: [] }));
    if (criterion === 'unknown') return namesOf(kit.filter({ names: ['no_such_tool'] }));
    throw unknownWord('filter', criterion);
  });
}

async function raising(act: () => Promise<unknown>, otherwise?: ProgramOutcome): Promise<ProgramOutcome> {
  try {
    const outcome = await act();
    return otherwise ?? (outcome as ProgramOutcome);
  } catch (error) {
    if ((error as Error).name === 'ConformanceFault') throw error;
    return { raises: true };
  }
}

async function executed(testCase: ProgramCase, kit: Toolkit, host: HostSide): Promise<ProgramOutcome> {
  const { code_js, then_js, via } = testCase;
  const options = optionsOf(testCase);
  const began = performance.now();
  const events: ProgramEvent[] = [];
  const code = code_js ?? '';
  if (via !== undefined && via !== 'stream') throw unknownWord('via', via);
  if (via === 'stream') for await (const event of kit.stream(code, options)) events.push(event);
  else events.push({ kind: 'done', result: await kit.execute(code, options) });
  const last = events.at(-1);
  if (last?.kind !== 'done') throw unknownWord('last event', last);
  return {
    ...resultOf(last.result),
    ms: performance.now() - began,
    ...(then_js === undefined ? {} : { then: resultOf(await kit.execute(then_js, options)) }),
    ...(via === undefined ? {} : { events: events.map(wordsOf) }),
    ...(host.shared.length === 0 ? {} : { probe: { host_object_after: host.shared[0] } }),
  };
}

function optionsOf({ options = {}, retry_js: programs = [] }: ProgramCase): ExecuteOptions {
  const { approved_calls: approved, max_retries: max } = options;
  let tried = 0;
  return {
    ...(approved === undefined
      ? {}
      : {
          approve: ({ tool }): ApprovalAnswer =>
            approved.includes(tool.name) ? { kind: 'approved' } : { kind: 'denied', reason: 'It is not approved.' },
        }),
    ...(max === undefined ? {} : { retry: { max, handler: () => programs[tried++] ?? '' } }),
  };
}

function resultOf({
  success,
  status,
  output,
  returnValue,
  toolCalls,
  error,
  attempts,
}: ExecutionResult): ProgramOutcome {
  return {
    success,
    status,
    output,
    return_value: returnValue,
    tool_calls: toolCalls
      .filter((call) => call.status === 'ok')
      .map(({ name, args, result, durationMs }) => ({ name, args, result, duration_ms_present: durationMs >= 0 })),
    error_kind: error?.kind ?? null,
    attempts,
  };
}

function wordsOf(event: ProgramEvent): readonly [string, unknown] {
  switch (event.kind) {
    case 'output':
      return ['output', event.text];
    case 'done':
      return ['done', null];
    default:
      return [event.kind, event.call.name];
  }
}
