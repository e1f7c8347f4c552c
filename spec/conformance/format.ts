import type { SectionVisibility } from 'toolwright';
import type { PlanningStrategy } from 'toolwright/sections';

// The format of the case files, as far as the implemented kinds read it.

/** An object of a case file. */
export type Json = Readonly<Record<string, unknown>>;

export interface ConformanceCase {
  readonly id: string;
  readonly area: string;
  readonly kind: string;
  readonly what: string;
  readonly input: Json;
  readonly expected: unknown;
  /** Takes the place of `expected` where this design decides differently. */
  readonly ts_expected?: unknown;
  readonly ts_why?: string;
  /** Set where texts depend on the reference's language. */
  readonly lang_specific?: string | boolean;
}

export type FieldType =
  | 'str'
  | 'int'
  | 'float'
  | 'bool'
  | 'any'
  | 'datetime'
  | 'uuid'
  | { readonly optional: FieldType }
  | { readonly list: FieldType }
  | { readonly tuple: FieldType }
  | { readonly map: FieldType }
  | { readonly ref: string }
  | { readonly literal: readonly (string | number | boolean | null)[] }
  | { readonly union: readonly FieldType[] }
  | { readonly enum: readonly (readonly [string, string | number])[] };

export interface FieldMeta {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly strip?: boolean;
  readonly alias?: string;
  readonly description?: string;
}

export interface FieldSpec {
  readonly name: string;
  readonly type: FieldType;
  readonly default?: unknown;
  readonly meta?: FieldMeta;
}

export interface RecordSpec {
  readonly fields: readonly FieldSpec[];
  readonly render?: string;
  readonly render_throws?: boolean;
}

export type RecordSpecs = Readonly<Record<string, RecordSpec>>;

export type EnabledSpec =
  | boolean
  | { readonly param: string; readonly equals: unknown }
  | { readonly session_has: string }
  | { readonly throws: string };

/** One step of a handler; which of the fields count depends on `do`. */
export interface HandlerStep {
  readonly do: string;
  readonly slice?: string;
  readonly value?: unknown;
  readonly path?: string;
  readonly content?: string;
  readonly seconds?: number;
  readonly message?: string;
  readonly success?: boolean;
  readonly exclude_value_from_context?: boolean;
  readonly error?: string;
}

export interface ExampleSpec {
  readonly description: string;
  readonly input?: unknown;
  readonly output?: unknown;
}

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly params?: string | null;
  readonly result?: string | null;
  readonly result_array?: boolean;
  readonly handler?: 'bad_signature' | readonly HandlerStep[] | null;
  readonly examples?: readonly ExampleSpec[];
  readonly accepts_overrides?: boolean;
}

/** The planning section that comes with the framework. */
interface PlanningSpec {
  readonly kind: 'planning';
  readonly strategy?: PlanningStrategy;
}

/** The workspace section that comes with the framework, over these files and those of the case. */
interface VfsSpec {
  readonly kind: 'vfs';
  readonly files?: Readonly<Record<string, string>>;
}

export type AnySectionSpec = SectionSpec | PlanningSpec | VfsSpec;

export type VisibilitySpec =
  | SectionVisibility
  | { readonly returns: unknown }
  | {
      readonly param: string;
      readonly equals: unknown;
      readonly then: SectionVisibility;
      readonly else: SectionVisibility;
    }
  | { readonly session_has: string; readonly then: SectionVisibility; readonly else: SectionVisibility };

interface SectionSpec {
  readonly kind?: undefined;
  readonly key: string;
  readonly title: string;
  readonly template?: string | null;
  readonly params?: string | null;
  readonly default_params?: Json | null;
  readonly default_params_type?: string;
  readonly enabled?: EnabledSpec | null;
  readonly summary?: string | null;
  readonly visibility?: VisibilitySpec | null;
  readonly tools?: readonly ToolSpec[];
  readonly policies?: readonly PolicySpec[];
  readonly accepts_overrides?: boolean;
  readonly children?: readonly AnySectionSpec[];
}

export interface FeedbackSpec {
  readonly static?: string;
  readonly deadline?: { readonly warning_threshold_seconds?: number };
  readonly trigger: { readonly every_n_calls?: number; readonly on_file_created?: string };
}

export interface PolicySpec {
  readonly read_before_write?: { readonly mount_point?: string };
  readonly sequential?: Readonly<Record<string, readonly string[]>>;
}

export interface PromptSpec {
  readonly ns: string;
  readonly key: string;
  readonly name?: string;
  readonly policies?: readonly PolicySpec[];
  readonly feedback?: readonly FeedbackSpec[];
  readonly sections: readonly AnySectionSpec[];
  readonly output?: { readonly type: string; readonly container: 'object' | 'array' };
  readonly allow_extra_keys?: boolean;
}

export type ReducerSpec =
  'append_all' | 'replace_latest' | 'throw' | { readonly upsert_by: string } | { readonly replace_latest_by: string };

export interface SessionSpec {
  readonly seed?: Readonly<Record<string, readonly unknown[]>>;
  readonly reducers?: readonly {
    readonly slice: string;
    readonly on?: string;
    readonly reducer: ReducerSpec;
    readonly policy?: 'log' | 'state';
  }[];
  readonly failing_subscriber?: string;
  readonly visibility_overrides?: Readonly<Record<string, SectionVisibility>>;
}

export interface CallSpec {
  readonly id?: string;
  readonly name: string;
  readonly arguments?: string | Json | null;
}

interface ObserveSpec {
  readonly session?: readonly string[];
  readonly files?: boolean;
  readonly events?: boolean;
}

export interface OverridesSpec {
  readonly tag?: string;
  /** The tag of `tag` when left out. */
  readonly render_tag?: string;
  /** By path, joined by slashes. */
  readonly sections?: Readonly<
    Record<string, { readonly body?: string; readonly summary?: string; readonly expected_hash?: string }>
  >;
  readonly tools?: Readonly<
    Record<
      string,
      {
        readonly description?: string;
        readonly param_descriptions?: Readonly<Record<string, string>>;
        readonly examples?: readonly ExampleSpec[];
        readonly expected_hash?: string;
      }
    >
  >;
}

export interface FlowInput {
  readonly types?: RecordSpecs;
  readonly prompt: PromptSpec;
  readonly params?: readonly unknown[];
  readonly binds?: readonly (readonly unknown[])[];
  readonly session?: SessionSpec;
  readonly filesystem?: Readonly<Record<string, string>>;
  readonly deadline_seconds?: number;
  readonly coerce?: boolean;
  readonly observe?: ObserveSpec;
  readonly overrides?: OverridesSpec;
  readonly steps: readonly Json[];
}

export interface SessionOp extends Json {
  readonly op: string;
  readonly slice?: string;
  readonly event?: Json;
  readonly value?: unknown;
  readonly values?: readonly unknown[];
  readonly where?: { readonly field: string; readonly equals: unknown };
  readonly field?: string;
  readonly equals?: unknown;
}

export interface SessionInput {
  readonly types?: RecordSpecs;
  readonly session?: SessionSpec;
  readonly ops: readonly SessionOp[];
}

export interface FsOp extends Json {
  readonly op: string;
  readonly path?: string;
  readonly content?: string;
  readonly mode?: string;
  readonly create_parents?: boolean;
  readonly old_text?: string;
  readonly new_text?: string;
  readonly replace_all?: boolean;
  readonly offset?: number;
  readonly limit?: number;
  readonly recursive?: boolean;
  readonly parents?: boolean;
  readonly exist_ok?: boolean;
  readonly pattern?: string;
  readonly glob?: string;
  readonly max_matches?: number;
}

export interface FsInput {
  readonly ops: readonly FsOp[];
}

export interface CheckerSpec {
  readonly files?: readonly string[];
  readonly composite?: readonly CheckerSpec[];
  readonly all_must_pass?: boolean;
}

export interface OutputInput {
  readonly types?: RecordSpecs;
  readonly prompt: PromptSpec;
  readonly text: string;
  readonly coerce?: boolean;
}

export interface CompletionInput {
  /** Null without a filesystem. */
  readonly files: readonly string[] | null;
  readonly checker: CheckerSpec;
}

export interface ToolInput {
  readonly types?: RecordSpecs;
  readonly tool: ToolSpec;
}

export interface ResultInput {
  readonly types?: RecordSpecs;
  readonly value?: unknown;
  readonly message?: string;
  readonly success?: boolean;
  readonly exclude_value_from_context?: boolean;
}

export interface ResultCtorInput {
  readonly types?: RecordSpecs;
  readonly ok?: unknown;
  readonly error?: string;
  readonly kw?: { readonly message?: string; readonly value?: unknown };
}

export interface ParseInput {
  readonly types?: RecordSpecs;
  readonly type: string;
  readonly data: unknown;
  readonly extra?: 'forbid' | 'ignore';
  readonly coerce?: boolean;
}

export interface DumpInput {
  readonly types?: RecordSpecs;
  readonly value: unknown;
  readonly exclude_none?: boolean;
}

export interface SchemaInput {
  readonly types?: RecordSpecs;
  readonly type: string;
}

/** The result of running a case: a record of the same form as `expected`. */
export type Outcome = Readonly<Record<string, unknown>>;

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
