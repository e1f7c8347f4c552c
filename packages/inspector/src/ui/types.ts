import type { BundleHead, BundleSection } from 'toolwright/bundles';
import type { Dropped } from '../server/EntrySource.js';

export type { BundleEntry } from 'toolwright/bundles';
export type { Row, StatePoint } from '../server/rows.js';
export type { Dropped, StateAt } from '../server/EntrySource.js';
export type { ForkChoices } from '../server/readForkChoices.js';
export type { InboxItem } from '../server/ApprovalInbox.js';
export type { ToolFinding } from 'toolwright/own-loop';

/** The keywords of a JSON Schema that forms read. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly default?: unknown;
  readonly [keyword: string]: unknown;
}

export interface DeclaredSection {
  readonly path: string;
  readonly number: string;
  readonly title: string;
  readonly depth: number;
  readonly owner: string;
  readonly declared: string;
  readonly hasHook: boolean;
  readonly tools: readonly string[];
}

/** A prompt of the application. */
export interface PromptInfo {
  readonly id: string;
  readonly name: string;
  readonly sections: readonly DeclaredSection[];
  readonly params: readonly {
    readonly name: string;
    readonly sections: readonly string[];
    readonly schema: Schema;
    readonly values: Readonly<Record<string, unknown>>;
  }[];
}

/** A source of runs. */
interface SourceInfo {
  readonly id: string;
  readonly name: string;
  readonly head?: BundleHead;
  /** Set for the live source. */
  readonly dropped?: Dropped;
  readonly limits?: { readonly maxEntries: number; readonly maxBytes: number };
}

/** Everything that can be inspected. */
export interface About {
  readonly allowCalls: boolean;
  readonly hasApp: boolean;
  readonly hasApprovals: boolean;
  readonly prompts: readonly PromptInfo[];
  readonly sources: readonly SourceInfo[];
}

/** A tool in the list. */
interface ToolInfo {
  readonly name: string;
  readonly section: string;
  readonly description: string;
  readonly tokens: number;
  readonly findings: number;
  readonly rehearses: 'handler' | 'preview' | null;
}

/** A rendered prompt. */
export interface Rendering {
  readonly text: string;
  readonly fingerprint: string;
  readonly tokens: { readonly label: string; readonly text: number; readonly tools: number };
  readonly sections: readonly (BundleSection & { readonly tokens: number; readonly opening?: number })[];
  readonly tools: readonly ToolInfo[];
}

export interface PromptState {
  readonly prompt: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly visibility: Readonly<Record<string, 'full' | 'summary'>>;
}
