import type { ContextId } from '@nestjs/core';
import type { ContainedHandler } from 'toolwright/adapters';
import type { NestToolCall } from './toolCallOf.js';

/** A tool call, with the context in which Nest keeps what it built for it. */
export interface HostedCall extends NestToolCall {
  readonly handler: Pick<ContainedHandler, 'type' | 'member' | 'paramsType'>;
  /** The instance that the handler runs on in this call. */
  readonly instance: object;
  readonly contextId: ContextId | undefined;
}
