import { memoize } from '../common/memoize.js';
import { messageOf } from '../common/text.js';
import type { ContainerAdapter } from '../interface/ContainerAdapter.js';
import type { Logger } from '../interface/ports.js';
import { buildPrompts } from '../builder/buildPrompt.js';
import { OutputReader } from '../builder/OutputReader.js';
import { DEFAULT_PART_BYTES, DEFAULT_POLICY_MS, DEFAULT_RESULT_CHARS, DEFAULT_TURN_MS } from '../common/limits.js';
import { PlainContainer } from '../container/PlainContainer.js';
import { ErrorMask } from '../dispatch/redact/ErrorMask.js';
import { InterceptorList } from '../dispatch/attempt/InterceptorList.js';
import { ToolDispatcher } from '../dispatch/ToolDispatcher.js';
import { Redaction } from '../dispatch/redact/Redaction.js';
import { Seals } from '../dispatch/admit/Seals.js';
import { TurnDispatcher } from '../dispatch/TurnDispatcher.js';
import type { ModelServices } from '../evaluate/ask/askModel.js';
import { eventClasses } from '../event/eventClasses.js';
import { InProcessEventBus } from '../event/EventBus.js';
import type { PromptMetadata } from '../metadata/PromptMetadata.js';
import { PromptTexts } from '../override/PromptTexts.js';
import { FeedbackSchedules } from '../policy/FeedbackSchedule.js';
import { buildDisclosureTools } from '../prompt/disclosure/DisclosureSection.js';
import { BoundPrompt } from '../prompt/BoundPrompt.js';
import { ResourceRegistry, type BindingList } from '../resource/ResourceRegistry.js';
import { loadLibraries } from '../schema/read/loadLibraries.js';
import { re2 } from '../schema/pattern/re2.js';
import { PromptSearch } from '../prompt/search/PromptSearch.js';
import { miniSearch } from '../prompt/search/SearchIndex.js';
import { stemmer } from '../prompt/search/splitTerms.js';
import { Session } from '../session/Session.js';
import { mutative } from '../session/state/changeDraft.js';
import { Application } from './Application.js';
import type { ApplicationOptions } from './ApplicationOptions.js';
import { buildNodes } from './buildNodes.js';
import { consoleLogger } from './consoleLogger.js';
import { Lifetime } from './Lifetime.js';
import { digestCall } from './rehearse.js';
import { requireOptions } from './requireOptions.js';
import { guardLogger, guardPorts } from './guardPorts.js';

/** Validates the declarations and assembles the application. `createApplication` loads this file on first use. */
export async function composeApplication(given: ApplicationOptions): Promise<Application> {
  const options = requireOptions(given);
  const fieldNames = options.fieldNames ?? 'as-is';
  const { prompts: listed, resources = [] } = options;
  const registry = new ResourceRegistry([{ bindings: resources }]);
  const reading = { fieldNames, parse: { coerce: options.coerce } };
  const container: ContainerAdapter = options.container ?? new PlainContainer();
  const { toolTexts, limits = {} } = options;
  const ofAll = { resources, policies: container.policies, toolTexts, callLimits: { timeoutMs: limits.callMs } };
  await loadLibraries();
  for (const late of [mutative, re2]) await late.loadBundled();
  const metadata = buildPrompts(listed, { ...reading, ...ofAll });
  if (metadata.some(({ search }) => search !== null))
    for (const late of [miniSearch, stemmer]) await late.loadBundled();
  const logger = guardLogger(options.logger ?? consoleLogger);
  const { clock, ids, random, estimator, redact, maskError } = guardPorts(options, logger);
  const onLateError = (error: unknown): void => {
    logger.error(`An asynchronous subscriber failed: ${messageOf(error)}`, { error });
  };
  const services: ModelServices = {
    clock,
    ids,
    random,
    logger,
    eventBus: options.eventBus ?? new InProcessEventBus(onLateError),
    resources: registry,
    redaction: new Redaction(redact),
    errorMask: new ErrorMask(maskError, ids),
    seals: new Seals(options.keys ?? []),
    interceptors: new InterceptorList(options.interceptors ?? []),
    schedules: new FeedbackSchedules(),
    prices: { ...options.prices },
    resultLimit: limits.resultChars ?? DEFAULT_RESULT_CHARS,
    partLimit: limits.partBytes ?? DEFAULT_PART_BYTES,
    approver: options.approver,
    digestCall: (call) => digestCall(services, call),
    policyMs: limits.policyMs ?? DEFAULT_POLICY_MS,
    repair: options.repair ?? 'off',
  };
  const openers = memoize(() => buildDisclosureTools(reading.parse));
  const prompts = new Map<BoundPrompt['metadata']['type'], BoundPrompt>();
  for (const prompt of metadata) {
    const nodes = await buildNodes(prompt, container);
    const ofPrompt = {
      resources: services.resources.over(listBindings(prompt)),
      texts: options.overrides === undefined ? undefined : new PromptTexts(prompt, options.overrides, logger),
      disclosureTools: openers,
      estimator,
      search: prompt.search === null ? undefined : new PromptSearch(prompt.search, { logger, estimator }),
      emptySession: () => new Session(),
    };
    prompts.set(prompt.type, new BoundPrompt(prompt, nodes, ofPrompt));
  }
  const layers = [...prompts.values()].map((prompt) => prompt.services.resources);
  await openResources(services.resources, layers, logger);
  const dispatcher = new ToolDispatcher(services);
  return new Application({
    prompts,
    services,
    dispatcher,
    turns: new TurnDispatcher(dispatcher, limits.turnMs ?? DEFAULT_TURN_MS),
    outputs: new OutputReader(reading.parse),
    lifetime: new Lifetime(),
    events: eventClasses,
  });
}

/** Provides the eager singletons of an application and then of its prompts. If one fails, the opened ones are closed. */
async function openResources(
  ofApplication: ResourceRegistry,
  ofPrompts: readonly ResourceRegistry[],
  logger: Logger,
): Promise<void> {
  try {
    for (const layer of [ofApplication, ...ofPrompts]) await layer.open();
  } catch (failure) {
    for (const { name, error } of await ofApplication.close())
      logger.error(`The resource ${name} failed to close: ${messageOf(error)}`, { error });
    throw failure;
  }
}

/** Returns the bindings of a prompt: its own list, then the lists of its sections, depth first (docs/contract.md, 15). */
function listBindings({ ns, key, resources, allSections }: PromptMetadata): readonly BindingList[] {
  return [
    { place: `prompt ${ns}/${key}`, bindings: resources },
    ...allSections.map((section) => ({ place: `section ${section.path}`, bindings: section.resources })),
  ];
}
