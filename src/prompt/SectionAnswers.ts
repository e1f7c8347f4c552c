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

  /** @throws PromptRenderError E501 */
  paramsOf({ metadata }: SectionNode): object | null {
    return this.#params.paramsOf(metadata);
  }

  /** @throws PromptRenderError E502 */
  isEnabled({ metadata, instance }: SectionNode, params: object | null): Awaitable<boolean> {
    const { enabled = true } = metadata;
    if (typeof enabled === 'boolean') return enabled;
    return mapAwaitable(
      callHook(metadata, 'enabled', () => enabled.call(instance, this.#createInput(params))),
      (answer: unknown) => {
        if (typeof answer !== 'boolean')
          throw createHookError(metadata, `enabled returned ${typeof answer}, not a boolean`);
        return answer;
      },
    );
  }

  /** Returns true if a section that is not rendered is enabled. Its params are looked up only if it has a hook. */
  isUnrenderedEnabled(node: SectionNode): Awaitable<boolean> {
    const { enabled = true } = node.metadata;
    return typeof enabled === 'boolean' ? enabled : this.isEnabled(node, this.paramsOf(node));
  }

  /** Reuses the last input: the hooks of one section get the same object. */
  #createInput(params: object | null): HookInput {
    if (this.#input.params !== params) this.#input = Object.freeze({ params, session: this.#session });
    return this.#input;
  }

  /**
   * Returns the visibility of an enabled section. Its hook is not called if there is an override.
   *
   * @throws PromptRenderError E502, E511, PromptValidationError E510
   */
  visibility({ metadata, instance }: SectionNode, params: object | null): Awaitable<SectionVisibility> {
    const { path, visibility = 'full' } = metadata;
    const overriding = this.#visibilities.size === 0 ? undefined : this.#visibilities.get(path);
    if (overriding !== undefined) {
      if (!isVisibility(overriding)) throw createVisibilityError(metadata, overriding);
      return checkVisibility(metadata, overriding);
    }
    if (typeof visibility === 'string') return visibility;
    return mapAwaitable(
      callHook(metadata, 'visibility', () => visibility.call(instance, this.#createInput(params))),
      (answer: unknown) => {
        if (!isVisibility(answer))
          throw createHookError(metadata, `visibility returned ${describeValue(answer)}, not "full" or "summary"`);
        return checkVisibility(metadata, answer);
      },
    );
  }

  /** @throws PromptRenderError E502, E503 */
  body({ metadata, instance, body: written }: SectionNode, params: object | null): Awaitable<string> {
    const { renderBody } = metadata;
    if (renderBody === undefined) return written === null ? '' : written.fill(params);
    return mapAwaitable(
      callHook(metadata, 'renderBody', () => renderBody.call(instance, this.#createInput(params))),
      (body: unknown) => {
        if (typeof body !== 'string')
          throw createHookError(metadata, `renderBody returned ${describeValue(body)}, not a string`);
        return body.trim();
      },
    );
  }

  /** @throws PromptRenderError E503 */
  summary({ summary }: SectionNode, params: object | null): string {
    return summary === null ? '' : summary.fill(params);
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
