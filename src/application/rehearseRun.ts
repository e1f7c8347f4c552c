import { messageOf } from '../common/text.js';
import type { DispatchContext, DispatchServices } from '../dispatch/DispatchContext.js';
import { LinkedSignal } from '../dispatch/attempt/LinkedSignal.js';
import type { OpenCall } from '../dispatch/attempt/OpenCall.js';
import { ToolDispatcher } from '../dispatch/ToolDispatcher.js';
import { TurnDispatcher } from '../dispatch/TurnDispatcher.js';
import { requireOptionNames, type OptionNames } from '../error/optionNames.js';
import { evaluatePrompt, type EvaluationParts } from '../evaluate/evaluatePrompt.js';
import { requireAdapter, requireMessages, requirePrompt } from '../evaluate/check/requireArguments.js';
import type { EvaluateOptions, PromptResponse } from '../evaluate/RunOptions.js';
import type { Interceptor } from '../interface/Interceptor.js';
import type { PromptOverrides } from '../interface/OverridesStore.js';
import { InMemoryOverridesStore } from '../override/InMemoryOverridesStore.js';
import { PromptTexts } from '../override/PromptTexts.js';
import { BoundPrompt } from '../prompt/BoundPrompt.js';
import { overrideNodes } from '../prompt/overrideNodes.js';
import { TransactionResources } from '../resource/TransactionResources.js';
import { Session } from '../session/Session.js';
import { getApplicationParts, type Application } from './Application.js';
import { SecretCollector } from './SecretCollector.js';
import { listResourceChanges, createRehearsalServices, type ChangedPart } from './rehearse.js';

/** Options of the rehearsal of a run. */
export interface RunRehearsalOptions extends Pick<
  EvaluateOptions,
  | 'adapter'
  | 'session'
  | 'messages'
  | 'runId'
  | 'runMetadata'
  | 'deadline'
  | 'budget'
  | 'signal'
  | 'onEvent'
  | 'maxTurns'
> {
  /** Texts that replace the texts of the prompt, only for this run. */
  readonly overrides?: PromptOverrides | undefined;
  /** Interceptors, the outermost first. The interceptors of the application do not run. */
  readonly interceptors?: readonly Interceptor[] | undefined;
}

const optionNames: OptionNames<RunRehearsalOptions> = {
  adapter: 1,
  session: 1,
  messages: 1,
  runId: 1,
  runMetadata: 1,
  deadline: 1,
  budget: 1,
  signal: 1,
  onEvent: 1,
  maxTurns: 1,
  overrides: 1,
  interceptors: 1,
};

/** The result of a rehearsed run. */
export interface RunRehearsal {
  readonly response: PromptResponse;
  /** The copy of the session that the run changed. */
  readonly session: Session;
  /** The resources that the run would have changed. */
  readonly changed: readonly ChangedPart[];
}

/**
 * Lets a model answer a prompt and discards all changes. The session is a copy, and only later calls of the run see its
 * writes to resources. Tools run as in `rehearse`; if one may act outside and has no preview, the model reads that. The
 * request to the model is real and costs tokens.
 *
 * @throws PromptError E411, E412, E413, PromptOverridesError E520-E524, and the errors of `app.evaluate`
 * @example
 * const { response, changed } = await rehearseRun(app, prompt, { adapter, session, messages });
 */
export async function rehearseRun(
  app: Application,
  prompt: BoundPrompt,
  options: RunRehearsalOptions,
): Promise<RunRehearsal> {
  requirePrompt('rehearseRun', prompt);
  requireAdapter('rehearseRun', options);
  requireOptionNames('rehearseRun', options, optionNames);
  const { services: real, lifetime, outputs, turns: realTurns } = getApplicationParts(app);
  const {
    interceptors,
    overrides,
    session: given = new Session(),
    ...rest
  } = requireMessages('rehearseRun', options, real);
  const session = given.clone();
  const secrets = new SecretCollector(real.redaction);
  const services = createRehearsalServices(real, [secrets, ...(interceptors ?? [])]);
  const turns = new TurnDispatcher(new ToolDispatcher(services), realTurns.turnMs);
  let changed: readonly ChangedPart[] = [];
  const around: EvaluationParts['around'] = async (run, loop) => {
    const resources = new TransactionResources(run.rendered.resources);
    try {
      const response = await loop(overlayRun(run, resources));
      changed = secrets.hideSecrets(listResourceChanges(resources.changes()));
      return response;
    } finally {
      await drop(services, resources);
    }
  };
  return lifetime.run(async () => {
    const shown = overrides === undefined ? prompt : await replaceTexts(prompt, overrides, services);
    const response = await evaluatePrompt({ services, turns, outputs, around }, shown, { ...rest, session });
    return { response, session, changed };
  });
}

/**
 * Wraps the run as one within a call that never commits. Its calls commit into the copy of the session and into these
 * resources.
 */
function overlayRun(run: DispatchContext, resources: TransactionResources): DispatchContext {
  const state = run.session;
  const transaction = { readOnly: false, session: state, notes: state, resources };
  const parentCall: OpenCall = { callId: run.id(), transaction, signal: new LinkedSignal() };
  return { ...run, parentCall, rehearsal: { slices: [], resources: [] } };
}

async function drop({ logger }: DispatchServices, resources: TransactionResources): Promise<void> {
  resources.close();
  const fault = await resources.finish(false, ({ name, error }) => {
    logger.error(`The resource ${name} failed to close after a rehearsal: ${messageOf(error)}`, { error });
  });
  if (fault !== undefined) logger.error(`A resource was not put back after a rehearsal: ${fault.message}`, { fault });
}

/** Returns the prompt with other texts, which win over its own store. */
async function replaceTexts(
  prompt: BoundPrompt,
  overrides: PromptOverrides,
  { logger }: DispatchServices,
): Promise<BoundPrompt> {
  const { metadata, params, roots, services } = prompt;
  const texts = new PromptTexts(metadata, new InMemoryOverridesStore(), logger);
  await texts.write(overrides);
  const match = await services.texts?.fitting();
  const stored = match === undefined ? roots : overrideNodes(roots, match);
  return new BoundPrompt(metadata, stored, { ...services, texts }, params);
}
