import { ToolwrightError } from 'toolwright';
import { describeValue, report } from 'toolwright/internal/light';
import { isFields } from 'toolwright/internal';

const VERSIONS: ReadonlySet<unknown> = new Set(['v3', 'v4']);

/** @throws ToolwrightError E721 for anything but a language model of the AI SDK */
export function requireModel(model: unknown): void {
  const version = isFields(model) ? model['specificationVersion'] : undefined;
  const asks = isFields(model) && typeof model['doGenerate'] === 'function' && typeof model['doStream'] === 'function';
  if (asks && VERSIONS.has(version)) return;
  const came = asks ? `one with specificationVersion ${describeValue(version)}` : describeValue(model);
  const details = { code: 'E721', place: 'AiSdkAdapter' } as const;
  throw new ToolwrightError(
    report(`expected a language model of the AI SDK with specification v3 or v4, got ${came}`, details),
    details,
  );
}
