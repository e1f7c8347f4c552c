import type { Application } from '../application/Application.js';
import type { RenderedPrompt } from '../prompt/RenderedPrompt.js';

/** The tools as functions in TypeScript, as programs of a model see them. */
export async function typeScriptOf(
  app: Application,
  rendered: RenderedPrompt,
  names: readonly string[],
): Promise<string> {
  const { Toolkit } = await import('../code/index.js');
  const whole = await Toolkit.from(rendered, { app });
  const kit = names.length === 0 ? whole : whole.filter({ names });
  return /```ts\n([^]*?)```/.exec(kit.prompt())?.[1] ?? '';
}
