import { getOrCreate } from '../../../common/memoize.js';
import { mapEntries } from '../../../common/objects.js';
import type { SchemaOptions, SchemaTarget, ToolSchema } from '../../../interface/ModelAdapter.js';
import type { LoweredForm, LoweredTools, RecordedTool } from '../../../interface/RunEntry.js';
import { createToolLists, dialectOf, lowerTools, type ToolLists } from './conversationTools.js';
import type { FoldedLog } from '../log/foldEntries.js';

type Forms = LoweredTools[string];

/** Tools as they were read from a record: the same objects each time. */
const restored = new WeakMap<readonly RecordedTool[], WeakMap<Forms, readonly ToolSchema[] | null>>();
const forms = new WeakMap<ToolSchema, LoweredForm>();
/** The tool that a form was made of, so that a conversation goes on with the same objects. */
const sources = new WeakMap<LoweredForm, ToolSchema>();

/**
 * The tools of a conversation as its requests have them. What a request had is recorded with its answer, and later ones repeat it,
 * although another release may write the same schema in other words.
 */
export class SentTools {
  readonly #isKept: boolean;
  readonly #written = new Map<string, Map<string, LoweredForm>>();

  /** @param isKept false for a conversation without a record */
  constructor(isKept: boolean) {
    this.#isKept = isKept;
  }

  /** Returns the lists of one request, as `ModelRequest` has them. */
  ofRequest({ head, lowered }: FoldedLog): ToolLists {
    // The tools of a request without an answer may be of another head, or of another model.
    this.#written.clear();
    return createToolLists(head, (tools, target, options) => this.#list(tools, lowered, target, options));
  }

  /** Returns the tools that were written since the last answer, for the record of this one; undefined if there are none. */
  take(): LoweredTools | undefined {
    if (this.#written.size === 0) return undefined;
    const taken = mapEntries(Object.fromEntries(this.#written), (_dialect, byName) => Object.fromEntries(byName));
    this.#written.clear();
    return taken;
  }

  #list(
    tools: readonly RecordedTool[],
    lowered: LoweredTools | undefined,
    target: SchemaTarget,
    options: SchemaOptions = {},
  ): readonly ToolSchema[] {
    const dialect = dialectOf(target, options);
    const recorded = lowered?.[dialect];
    const known = recorded === undefined ? null : restore(tools, recorded);
    if (known !== null) return known;
    const written = lowerTools(tools, target, options);
    if (this.#isKept) this.#note(dialect, tools, written);
    return written;
  }

  #note(dialect: string, tools: readonly RecordedTool[], written: readonly ToolSchema[]): void {
    if (tools.length === 0) return;
    const byName = getOrCreate(this.#written, dialect, () => new Map<string, LoweredForm>());
    written.forEach((tool, at) => byName.set(tool.name, formOf(tool, tools[at])));
  }
}

function formOf(tool: ToolSchema, recorded: RecordedTool | undefined): LoweredForm {
  const known = forms.get(tool);
  if (known !== undefined) return known;
  const { parameters, strict } = tool;
  const isSame = JSON.stringify(parameters) === JSON.stringify(recorded?.schema);
  const form = Object.freeze(isSame ? { strict } : { parameters, strict });
  forms.set(tool, form);
  sources.set(form, tool);
  return form;
}

/** Returns tools as a record has them; null if it lacks one. */
function restore(tools: readonly RecordedTool[], recorded: Forms): readonly ToolSchema[] | null {
  const before = getOrCreate(restored, tools, () => new WeakMap<Forms, readonly ToolSchema[] | null>());
  return getOrCreate(before, recorded, () => {
    const list = tools.flatMap(({ name, description, schema }): ToolSchema[] => {
      const form = Object.hasOwn(recorded, name) ? recorded[name] : undefined;
      if (form === undefined) return [];
      return [sources.get(form) ?? { name, description, parameters: form.parameters ?? schema, strict: form.strict }];
    });
    return list.length === tools.length ? Object.freeze(list) : null;
  });
}
