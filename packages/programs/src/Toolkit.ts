import {
  type Application,
  type Constructor,
  type Logger,
  type RenderedPrompt,
  Session,
  type ToolDefinition,
} from 'toolwright';
import { describeValue, didYouMean, joinBounded, isObject } from 'toolwright/internal/light';
import type { ToolMetadata } from 'toolwright/types';
import {
  type AsyncCloseable,
  createRun,
  getApplicationParts,
  type OptionNames,
  ProgramError,
  requireOptionNames,
  requireOptions,
} from 'toolwright/internal';
import { warmUpTypeCheck } from './check/ProgramChecker.js';
import { executeOptionForms, type ExecuteOptions, type RetryOptions } from './ExecuteOptions.js';
import type { ExecutionResult, ProgramEvent } from './ExecutionResult.js';
import { extractCode, type ExtractedCode } from './extractCode.js';
import { createKitTool, type KitTool } from './KitTool.js';
import { execute } from './program/execute.js';
import { createProgramTool } from './program/createProgramTool.js';
import { answerProgram } from './program/runInCall.js';
import { streamProgram } from './program/streamProgram.js';
import { createApplicationOf, type ToolkitSource } from './program/toolkitSource.js';
import { programOptionNames, type ProgramOptions } from './ProgramOptions.js';
import { readSettings, type ProgramSettings } from './ProgramSettings.js';
import { ProgramTools } from './ProgramTools.js';
import { writeCodeText, writePromptText, writeToolPromptText } from './writePromptTexts.js';
import { toolSchema, type ToolFormat } from './toolSchema.js';

/** Options of a toolkit; all have defaults. */
export interface ToolkitOptions extends ProgramOptions {
  /** The application of the rendered prompt; for a list of tools, the toolkit creates its own. */
  readonly app?: Application | undefined;
  /** The state that tools read and change; a new session by default. */
  readonly session?: Session | undefined;
  /** True by default: the changes of a program commit together, or not at all. False: each call commits by itself. */
  readonly atomic?: boolean | undefined;
  /** Default for programs that are executed without their own retry options. */
  readonly retry?: RetryOptions | undefined;
  /** Logger of the application that is created for a list. */
  readonly logger?: Logger | undefined;
}

/** A tool in a list: a class or an instance with `@Tool` methods, a result of `defineTool` or `toolFrom`, or a definition. */
export type ToolkitEntry = Constructor | object | ToolDefinition<never, undefined>;

/** Selects tools of a toolkit; at least one criterion is required. */
export interface ToolkitFilter {
  /** Names on the wire. */
  readonly names?: readonly string[] | undefined;
  readonly where?: ((tool: KitTool) => boolean) | undefined;
}

const filterNames: OptionNames<ToolkitFilter> = { names: 1, where: 1 };
const retryNames: OptionNames<RetryOptions> = { max: 1, handler: 1 };

interface ToolkitParts extends ToolkitSource {
  readonly tools: ProgramTools;
  readonly settings: ProgramSettings;
  readonly session: Session;
  readonly isAtomic: boolean;
  readonly retry: RetryOptions | undefined;
  /** True if the toolkit has to close the application. */
  readonly ownsApp: boolean;
}

/**
 * Tools that a model calls from programs. Programs are checked and run in a sandbox, and each of their calls goes through the
 * dispatcher like a direct one (docs/contract.md, 19).
 *
 * @example
 * await using kit = await Toolkit.from([getWeather, searchProducts]);
 * const { code } = kit.extractCode(await ask(kit.prompt()));
 * if (code !== null) console.log((await kit.execute(code)).toModelText());
 */
export class Toolkit implements Iterable<KitTool>, AsyncCloseable {
  /** @internal */
  static readonly optionNames: OptionNames<ToolkitOptions> = {
    ...programOptionNames,
    app: 1,
    session: 1,
    atomic: 1,
    retry: 1,
    logger: 1,
  };
  readonly #parts: ToolkitParts;
  readonly #tools: ReadonlyMap<string, KitTool>;

  private constructor(parts: ToolkitParts) {
    this.#parts = parts;
    this.#tools = new Map([...parts.tools].map((tool) => [tool.name, createKitTool(tool)]));
  }

  /**
   * @param source a rendered prompt, with its application in the options; or a list of tools, for which one is created
   * @throws ProgramError E671 for an entry that is not a tool, E672 for options, E661 and E662 for names; PromptError
   * E413 for an unknown option; PromptValidationError
   */
  static async from(source: RenderedPrompt | readonly ToolkitEntry[], options: ToolkitOptions = {}): Promise<Toolkit> {
    requireOptionNames('Toolkit.from', options, Toolkit.optionNames);
    const settings = readSettings(options);
    // Not by default: some toolkits only write declarations, and never run a program.
    if (settings.check === 'types') warmUpTypeCheck();
    assertRetry(options.retry);
    const { session = new Session(), atomic = true, retry } = options;
    const origin = Array.isArray(source)
      ? await createApplicationOf(source, options.logger)
      : requireSource(source, options.app);
    const parts = { ...origin, settings, session, isAtomic: atomic, retry, ownsApp: Array.isArray(source) };
    return new Toolkit({ ...parts, tools: ProgramTools.of(origin.rendered) });
  }

  get size(): number {
    return this.#tools.size;
  }

  /** @throws ProgramError E674 */
  get(name: string): KitTool {
    const tool = this.#tools.get(name);
    if (tool !== undefined) return tool;
    const names = [...this.#tools.keys()];
    throw createMissingError(
      `${describeValue(name)} is not one of its tools.${didYouMean(name, names)} It has: ${joinBounded(names)}`,
    );
  }

  [Symbol.iterator](): Iterator<KitTool> {
    return this.#tools.values();
  }

  /**
   * Returns a toolkit with some of the tools; everything else is shared.
   *
   * @throws ProgramError E674 without a criterion, for a name that no tool has, and if no tool is left; PromptError E413
   */
  filter(filter: ToolkitFilter = {}): Toolkit {
    requireOptionNames('toolkit.filter', filter, filterNames);
    const { names, where } = filter;
    if (names === undefined && where === undefined) throw createMissingError('filter needs names or where');
    const wanted = names === undefined ? undefined : new Set(names.map((name) => this.get(name).name));
    const kept = [...this.#parts.tools].filter(
      ({ name }) => wanted?.has(name) !== false && where?.(this.get(name)) !== false,
    );
    if (kept.length === 0) throw createMissingError('the filter leaves no tool');
    return new Toolkit({ ...this.#parts, tools: new ProgramTools(kept), ownsApp: false });
  }

  /** Writes the text of a system prompt for models that answer with programs. */
  prompt(): string {
    return writePromptText(this.#parts.tools.metadata, this.#parts.settings);
  }

  /** Writes the text of a system prompt for models that send programs through `execute_program`. */
  toolPrompt(): string {
    return writeToolPromptText(this.#parts.tools.metadata, this.#parts.settings);
  }

  /** Returns the tool `execute_program {code}` over these tools; its programs always commit as a whole. */
  asTool(): ToolMetadata {
    const { tools, settings } = this.#parts;
    const answering = { tools: () => tools, settings };
    return createProgramTool(
      (code, context) => answerProgram(code, context, answering),
      writeCodeText(tools.metadata, settings),
    );
  }

  /**
   * Returns the schema of `asTool()` in a provider's format.
   *
   * @throws ProgramError E672 for an unknown format
   */
  toolSchema(format: ToolFormat): object {
    return toolSchema(this.asTool(), format);
  }

  /** Extracts the program from a model's answer. */
  extractCode(text: string): ExtractedCode {
    return extractCode(text);
  }

  /**
   * Runs a program. Its own faults are reported in the result.
   *
   * @throws PromptError E413 for an option that cannot be used, such as a `resume` that is not a paused result; ProgramError for
   * `retry` and missing packages; errors of the retry handler; PromptEvaluationError if the run itself cannot continue
   */
  async execute(code: string, options: ExecuteOptions = {}): Promise<ExecutionResult> {
    requireOptions('toolkit.execute', options, executeOptionForms);
    const { app, rendered, session, tools, settings, isAtomic } = this.#parts;
    const { retry = this.#parts.retry } = options;
    assertRetry(retry);
    const { services, lifetime } = getApplicationParts(app);
    const { onEvent: _ofProgram, ...ofRun } = options;
    const run = createRun(rendered, { session, ...ofRun }, services.ids);
    return lifetime.run(() => execute(code, { app, tools, settings, isAtomic }, run, { ...options, retry }));
  }

  /** Runs a program and yields its events; the last one holds the result. Leaving the loop cancels the program. */
  stream(code: string, options: Omit<ExecuteOptions, 'onEvent'> = {}): AsyncGenerator<ProgramEvent, void> {
    return streamProgram((onEvent, signal) => this.execute(code, { ...options, signal, onEvent }), options.signal);
  }

  /** Closes the application that was created for a list; the owner of a prompt's application closes it. */
  async close(): Promise<void> {
    if (this.#parts.ownsApp) await this.#parts.app.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function requireSource(rendered: unknown, app: Application | undefined): ToolkitSource {
  const isRendering = isObject(rendered) && 'toolsByName' in rendered;
  if (isRendering && app !== undefined) return { app, rendered: rendered as RenderedPrompt };
  const problem = isRendering
    ? 'a rendered prompt was given without its application: pass it as app'
    : `the source is ${describeValue(rendered)}; a rendered prompt or a list is expected`;
  throw new ProgramError(problem, { code: 'E671', place: 'Toolkit.from' });
}

/** @throws ProgramError E672, PromptError E413 */
function assertRetry(retry: RetryOptions | undefined): void {
  if (retry === undefined) return;
  requireOptionNames('retry', retry, retryNames);
  const { max, handler } = retry as Partial<RetryOptions>;
  const problem =
    typeof handler !== 'function'
      ? `retry.handler is ${describeValue(handler)}; a function that gives the next program is expected`
      : !Number.isSafeInteger(max) || (max ?? -1) < 0
        ? `retry.max is ${describeValue(max)}; a whole number from 0 on is expected`
        : undefined;
  if (problem !== undefined) throw new ProgramError(problem, { code: 'E672', place: 'retry' });
}

function createMissingError(problem: string): ProgramError {
  return new ProgramError(problem, { code: 'E674', place: 'Toolkit' });
}
