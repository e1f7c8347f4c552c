import type { Constructor } from '../common/types.js';
import { createFinding } from '../error/Finding.js';
import { PromptValidationError } from '../error/PromptError.js';
import type { OutputMetadata } from '../metadata/OutputMetadata.js';
import type { PromptMetadata } from '../metadata/PromptMetadata.js';
import { getOutput } from '../schema/parse/getOutput.js';
import { readDeclaredPattern } from '../schema/pattern/readDeclaredPattern.js';
import { ShapeReader } from '../schema/read/ShapeReader.js';
import type { ParseOptions } from '../schema/parse/ParseOptions.js';
import { draftOutput, type OutputDraft } from './draftOutput.js';

/** Reads the outputs that single runs declare, with the options of their application. */
export class OutputReader {
  readonly #parse: ParseOptions;
  readonly #shapes = {
    'as-is': new WeakMap<Constructor, OutputDraft['shape']>(),
    snake_case: new WeakMap<Constructor, OutputDraft['shape']>(),
  };

  constructor(parse: ParseOptions) {
    this.#parse = parse;
  }

  /** @throws PromptValidationError if the output is not a class, or its class has faults */
  read(
    reference: unknown,
    { allowExtraKeys, fieldNames }: Pick<PromptMetadata, 'allowExtraKeys' | 'fieldNames'>,
  ): OutputMetadata {
    const reader = new ShapeReader(fieldNames, readDeclaredPattern);
    const draft = draftOutput(reference, reader);
    if ('code' in draft) {
      throw new PromptValidationError([
        createFinding(draft.code, draft.problem, { place: 'app.evaluate({ output })' }),
      ]);
    }
    const [first, ...others] = reader.faults.map(({ found }) => found);
    if (first !== undefined) throw new PromptValidationError([first, ...others]);
    // The first shape of a class is kept, together with the parser that was created for it.
    const shape = this.#shapes[fieldNames].get(draft.shape.type) ?? draft.shape;
    this.#shapes[fieldNames].set(shape.type, shape);
    return getOutput(shape, draft.container, { ...this.#parse, extra: allowExtraKeys ? 'ignore' : 'forbid' });
  }
}
