import type { DispatchContext, DispatchServices, EventAudience } from '../dispatch/DispatchContext.js';
import { createEventHead, hasListeners, publish } from '../dispatch/finish/publishEvents.js';
import { PromptRendered, PromptStopped } from '../event/promptEvents.js';
import { ToolsRendered } from '../event/ToolsRendered.js';
import type { UsageAccount } from './UsageAccount.js';

/** Publishes that the prompt of a run was rendered, and with which tools. */
export function publishRendering(services: DispatchServices, run: DispatchContext): void {
  const { text, tools } = run.rendered;
  publishRun(services, run, PromptRendered, (recorded) => recorded({ text, toolNames: tools.map(({ name }) => name) }));
  publishRun(services, run, ToolsRendered, (recorded) =>
    recorded({ tools: tools.map(({ name, description, sectionPath }) => ({ name, description, sectionPath })) }),
  );
}

/** A run as far as its events tell of it; one whose prompt cannot be rendered has no more. */
export interface Publication extends EventAudience {
  readonly rendered: { readonly prompt: { readonly ns: string; readonly key: string } };
}

/** Publishes that a run has no answer, once; the transcript of its account is redacted already. */
export function publishStop(services: DispatchServices, run: Publication, error: unknown, account: UsageAccount): void {
  if (account.isPublished) return;
  account.isPublished = true;
  const { progress, requests } = account;
  publishRun(services, run, PromptStopped, (recorded) => ({
    error: recorded(error),
    ...progress,
    turns: requests.length,
  }));
}

/**
 * Publishes an event about a run, if it reaches a listener.
 *
 * @param fields gets the redaction, for all that is not redacted yet
 */
export function publishRun(
  services: DispatchServices,
  run: Publication,
  Event: new (fields: never) => object,
  fields: (recorded: <T>(value: T) => T) => object,
): void {
  if (!hasListeners(services, run, Event)) return;
  const { ns, key } = run.rendered.prompt;
  const head = { ...createEventHead(services, run), prompt: `${ns}/${key}` };
  const recorded = <T>(value: T): T => services.redaction.redact(value);
  publish(services, run, new Event({ ...head, ...fields(recorded) } as never));
}
