import { mapAwaitable } from '../common/promises.js';
import { className, isThenable } from '../common/classes.js';
import { describeValue, messageOf } from '../common/text.js';
import type { Awaitable } from '../common/types.js';
import { createFinding } from '../error/Finding.js';
import { PromptRenderError, PromptValidationError } from '../error/PromptError.js';
import type { SessionPort } from '../interface/SessionPort.js';
import type { HookInput } from '../metadata/args/SectionMetadataArgs.js';
import { isVisibility, type SectionVisibility } from '../value/SectionVisibility.js';
import type { SectionMetadata } from '../metadata/PromptMetadata.js';
import type { ParamsBinding } from './ParamsBinding.js';
import type { SectionNode } from './SectionNode.js';

/** The state and texts of sections in one rendering, from their hooks, their templates and overrides of visibility. */
export class SectionAnswers {
  readonly #params: ParamsBinding;
  readonly #session: SessionPort;
  readonly #visibilities: ReadonlyMap<string, unknown>;
  #input: HookInput;

  /** @param visibilities by path; they replace the declared ones */
  constructor(params: ParamsBinding, session: SessionPort, visibilities: ReadonlyMap<string, unknown>) {
    this.#params = params;
    this.#session = session;
    this.#visibilities = visibilities;
    this.#input = Object.freeze({ params: null, session });
  }

  /**
   * Returns the input for the hooks of an enabled section, or undefined for a disabled one. Params are looked up in any
   * case.
   *
   * @throws PromptRenderError E501, E502
   */
  enter({ metadata, instance }: SectionNode): Awaitable<HookInput | undefined> {
    const input = this.#createInput(this.#params.paramsOf(metadata));
    const { enabled } = metadata;
    if (enabled === undefined || enabled === true) return input;
    if (enabled === false) return undefined;
    return mapAwaitable(
      callHook(metadata, 'enabled', () => enabled.call(instance, input)),
      (answer: unknown) => {
        if (typeof answer !== 'boolean')
          throw createHookError(metadata, `enabled returned ${typeof answer}, not a boolean`);
        return answer ? input : undefined;
      },
    );
  }

  /** Reuses the last input: most sections have the same params as the previous one. */
  #createInput(params: object | null): HookInput {
    if (this.#input.params !== params) this.#input = Object.freeze({ params, session: this.#session });
    return this.#input;
  }

  /** Returns true if a section that is not rendered is enabled. Its params are looked up only if it has a hook. */
  isEnabled(node: SectionNode): Awaitable<boolean> {
    const { enabled = true } = node.metadata;
    return typeof enabled === 'boolean' ? enabled : mapAwaitable(this.enter(node), (input) => input !== undefined);
  }

  /**
   * Returns the visibility of an enabled section. Its hook is not called if there is an override.
   *
   * @throws PromptRenderError E502, E511, PromptValidationError E510
   */
  visibility({ metadata, instance }: SectionNode, input: HookInput): Awaitable<SectionVisibility> {
    const { path, visibility = 'full' } = metadata;
    const overriding = this.#visibilities.size === 0 ? undefined : this.#visibilities.get(path);
    if (overriding !== undefined) {
      if (!isVisibility(overriding)) throw createVisibilityError(metadata, overriding);
      return checkVisibility(metadata, overriding);
    }
    if (typeof visibility === 'string') return visibility;
    return mapAwaitable(
      callHook(metadata, 'visibility', () => visibility.call(instance, input)),
      (answer: unknown) => {
        if (!isVisibility(answer))
          throw createHookError(metadata, `visibility returned ${describeValue(answer)}, not "full" or "summary"`);
        return checkVisibility(metadata, answer);
      },
    );
  }

  /** @throws PromptRenderError E502, E503 */
  body({ metadata, instance, body: written }: SectionNode, input: HookInput): Awaitable<string> {
    const { renderBody } = metadata;
    if (renderBody === undefined) return written === null ? '' : written.fill(input.params as object | null);
    return mapAwaitable(
      callHook(metadata, 'renderBody', () => renderBody.call(instance, input)),
      (body: unknown) => {
        if (typeof body !== 'string')
          throw createHookError(metadata, `renderBody returned ${describeValue(body)}, not a string`);
        return body.trim();
      },
    );
  }

  /** @throws PromptRenderError E503 */
  summary({ summary }: SectionNode, input: HookInput): string {
    return summary === null ? '' : summary.fill(input.params as object | null);
  }
}

/** Checks a visibility that does not come from a declaration. */
function checkVisibility(section: SectionMetadata, visibility: SectionVisibility): SectionVisibility {
  if (visibility === 'full' || section.summary !== undefined) return visibility;
  const { path, params } = section;
  const details = { place: path, className: className(section.type), sectionPath: path, paramsType: params?.name };
  throw new PromptValidationError([createFinding('E510', 'it should be shown as its summary, but has none', details)]);
}

function createVisibilityError(section: SectionMetadata, given: unknown): PromptRenderError {
  const problem = `an override gives it the visibility ${describeValue(given)}, which is not "full" or "summary"`;
  return new PromptRenderError(problem, { code: 'E511', sectionPath: section.path });
}

function callHook<T>(section: SectionMetadata, name: string, call: () => Awaitable<T>): Awaitable<T> {
  const failed = (cause: unknown): never => {
    throw createHookError(section, `${name} threw: ${messageOf(cause)}`, cause);
  };
  try {
    const answer = call();
    return isThenable(answer) ? Promise.resolve(answer).catch(failed) : answer;
  } catch (cause) {
    return failed(cause);
  }
}

function createHookError(section: SectionMetadata, problem: string, cause?: unknown): PromptRenderError {
  return new PromptRenderError(problem, { code: 'E502', sectionPath: section.path, cause });
}
