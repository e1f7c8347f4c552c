import { className } from '../common/classes.js';
import { resolveOutput } from '../metadata/args/resolveOutput.js';
import type { ClassShape } from '../metadata/ClassShape.js';
import type { OutputContainer } from '../metadata/OutputMetadata.js';
import type { ShapeReader } from '../schema/read/ShapeReader.js';

/** The output of a prompt or run as collected. */
export interface OutputDraft {
  readonly shape: ClassShape;
  readonly container: OutputContainer;
}

/** The reason why an output is invalid. */
export interface OutputFault {
  readonly code: 'E307' | 'E312';
  readonly problem: string;
}

/** Reads the class of an output. Returns the reason if a model could not write it. */
export function draftOutput(reference: unknown, reader: ShapeReader): OutputDraft | OutputFault {
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
