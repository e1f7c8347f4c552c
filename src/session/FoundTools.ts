import { Field } from '../decorator/Param.js';
import { Reducer } from '../decorator/Reducer.js';
import { aText, listOf } from '../common/dataForm.js';
import { requireValue } from '../error/optionNames.js';
import type { SliceOp } from '../interface/SliceOp.js';
import { SliceOps } from './slice/SliceOps.js';

const namesForm = listOf(aText);

/** Event that offers tools of searchable sections in a session. */
export class AddFoundTools {
  /**
   * @param names ignored where a prompt has no searchable tool of that name
   * @throws PromptError E413 for anything but a list of texts
   */
  constructor(readonly names: readonly string[]) {
    requireValue('new AddFoundTools', 'names', names, namesForm);
  }
}

/** Event that closes the found tools of a session again. */
export class ClearFoundTools {}

/**
 * The tools of searchable sections that are offered in a session, because the model has found them or the host has added
 * them. Every session has this slice; a failed call rolls it back (docs/prompts.md, Search).
 *
 * @example
 * session.dispatch(new AddFoundTools(['create_invoice']));
 * session.slice(FoundTools).latest()?.names; // ['create_invoice']
 */
export class FoundTools {
  @Field({ description: 'In the order in which they were found', type: [String] })
  readonly names: readonly string[] = [];

  static of(names: readonly string[]): FoundTools {
    return Object.assign(new FoundTools(), { names });
  }

  @Reducer(() => AddFoundTools)
  add({ names }: AddFoundTools): SliceOp<FoundTools> {
    return SliceOps.replace(FoundTools.of([...new Set([...this.names, ...names])]));
  }

  @Reducer(() => ClearFoundTools)
  clear(): SliceOp<FoundTools> {
    return SliceOps.replace(FoundTools.of([]));
  }
}
