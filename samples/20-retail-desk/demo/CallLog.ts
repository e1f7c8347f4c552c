import type { OutcomeKind } from 'toolwright';
import type { ToolInvoked } from 'toolwright/events';
import type { RetailStore } from '../store/RetailStore.js';
import { StoreWatch, type RecordChange } from './StoreWatch.js';

/** One tool call with the state of the store before and after it. */
export interface LoggedCall {
  readonly name: string;
  readonly kind: OutcomeKind;
  /** The chapters that it opened. */
  readonly opened: readonly string[];
  readonly value: unknown;
  /** The text that the model reads. */
  readonly text: string;
  readonly before: string;
  readonly after: string;
  readonly changes: readonly RecordChange[];
}

/** Measures the store after every call: `ToolInvoked` is published when the call has been committed or rolled back. */
export class CallLog {
  readonly calls: LoggedCall[] = [];
  private readonly watch: StoreWatch;
  private digest: string;

  constructor(store: RetailStore) {
    this.watch = new StoreWatch(store);
    this.digest = this.watch.digest();
  }

  add({ name, kind, result, expansion, toolMessage }: ToolInvoked): LoggedCall {
    const before = this.digest;
    this.digest = this.watch.digest();
    const changes = this.watch.changes();
    const call = {
      name,
      kind,
      opened: expansion?.sections ?? [],
      value: result?.value,
      text: toolMessage,
      before,
      after: this.digest,
      changes,
    };
    this.calls.push(call);
    return call;
  }
}
