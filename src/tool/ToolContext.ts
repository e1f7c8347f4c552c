import { brand } from '../common/brand.js';
import type { EventBus } from '../event/EventBus.js';
import type { CallContext, CallInfo, RunMetadata } from '../interface/CallContext.js';
import type { ToolProgress } from '../event/ToolProgressed.js';
import type { Filesystem } from '../interface/Filesystem.js';
import type { Logger } from '../interface/ports.js';
import type { PromptView, RenderedView } from '../interface/PromptView.js';
import type { ResourceScope } from '../interface/ResourceBinding.js';
import type { RunHandle } from '../interface/RunHandle.js';
import type { SessionPort } from '../interface/SessionPort.js';
import type { BudgetTracker } from '../limit/BudgetTracker.js';
import type { Deadline } from '../limit/Deadline.js';
import type { ToolCall } from '../value/ToolCall.js';
import type { ToolOutcome } from '../value/ToolOutcome.js';

/**
 * The second argument of a handler: the transaction of the call and its environment. Each call has its own frozen
 * context; after the call, using it throws `TransactionClosedError`. It never appears in a schema. A class and not an
 * interface, because a handler's parameter must be recognisable at run time (docs/contract.md, 6).
 */
export abstract class ToolContext implements CallContext {
  abstract readonly prompt: PromptView;
  abstract readonly renderedPrompt: RenderedView | null;
  abstract readonly session: SessionPort;
  abstract readonly eventBus: EventBus;
  abstract readonly deadline: Deadline | null;
  /** Tracks the budget of the run; null without a budget. */
  abstract readonly budgetTracker: BudgetTracker | null;
  /** The run, for nested prompts; null if the call belongs to no run. */
  abstract readonly run: RunHandle | null;
  /** The ids of the run, set by the host. */
  abstract readonly runMetadata: RunMetadata;
  abstract readonly resources: ResourceScope;
  /** The resource bound to `Filesystem`, or null. */
  abstract readonly filesystem: Filesystem | null;
  abstract readonly signal: AbortSignal;
  abstract readonly call: CallInfo;
  abstract readonly logger: Logger;

  /**
   * Calls another tool of the same rendering inside a savepoint of this call: its changes become part of this call and
   * are committed with it.
   */
  abstract callTool(call: ToolCall): Promise<ToolOutcome>;
  /** Reports the progress of the handler to subscribers and to the stream of its run. It is not recorded. */
  abstract reportProgress(progress: ToolProgress): void;
  abstract now(): number;
  abstract newId(): string;
}
brand(ToolContext, 'ToolContext');

/** Returns true for the class `ToolContext` of any copy of the package, and for its subclasses. */
export function isToolContext(type: unknown): boolean {
  return typeof type === 'function' && type.prototype instanceof ToolContext;
}
