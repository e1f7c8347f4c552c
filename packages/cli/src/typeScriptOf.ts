import type * as programs from '@toolwright/programs';
import type { Application, RenderedPrompt } from 'toolwright';
import { loadPackage } from './load/loadPackage.js';

/** Writes the tools as TypeScript functions, as programs of a model see them. */
export async function writeTypeScript(
  folder: string,
  app: Application,
  rendered: RenderedPrompt,
  names: readonly string[],
): Promise<string> {
  const needed = { name: '@toolwright/programs', place: 'tools --format ts' };
  const { Toolkit } = await loadPackage<typeof programs>(folder, needed);
  const whole = await Toolkit.from(rendered, { app });
  const kit = names.length === 0 ? whole : whole.filter({ names });
  return /```ts\n([^]*?)```/.exec(kit.prompt())?.[1] ?? '';
}
