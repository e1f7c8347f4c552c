import { className } from '../common/classes.js';
import { getOrCreate } from '../common/memoize.js';
import type { Constructor } from '../common/types.js';
import { createFinding, type Fault } from '../error/Finding.js';
import { PromptValidationError } from '../error/PromptError.js';
import { resolveOutput } from '../metadata/args/resolveOutput.js';
import type { ClassShape } from '../metadata/ClassShape.js';
import type { OutputContainer, OutputMetadata } from '../metadata/OutputMetadata.js';
import type { PromptMetadata } from '../metadata/PromptMetadata.js';
import { getOutput } from '../schema/parse/getOutput.js';
import { readDeclaredPattern } from '../schema/pattern/readDeclaredPattern.js';
import { ShapeReader } from '../schema/read/ShapeReader.js';
import type { ParseOptions } from '../schema/parse/ParseOptions.js';

export interface OutputDraft {
  readonly shape: ClassShape;
  readonly container: OutputContainer;
}

/** Reads the class of an output. Returns the reason if a model could not write it. */
export function draftOutput(reference: unknown, reader: ShapeReader): OutputDraft | Fault {
  const resolved = resolveOutput(reference);
  if ('code' in resolved) return resolved;
  const { type, container } = resolved;
  const shape = reader.read(type);
  // A field that could not be read is reported separately.
  const isFaulty = reader.faults.some((fault) => fault.type === type);
  if (shape.fields.length > 0 || isFaulty) return { shape, container };
  const problem = `output: expected a class with @Field on its properties, but ${className(type)} has no fields`;
  return { code: 'E312', problem };
}

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
    const shape = getOrCreate(this.#shapes[fieldNames], draft.shape.type, () => draft.shape);
    return getOutput(shape, draft.container, { ...this.#parse, extra: allowExtraKeys ? 'ignore' : 'forbid' });
  }
}
