import type * as skillFiles from '@toolwright/files/skills';
import { bindParams } from '../bindParams.js';
import type { AppOptions, CommandContext } from '../Context.js';
import { writeFiles } from '../init/writeFiles.js';
import { loadPackage } from '../load/loadPackage.js';
import { parseOpenOption, selectPrompt, withApplication } from '../load/withApplication.js';

export interface SkillsOptions extends AppOptions {
  readonly param?: readonly string[];
  readonly out: string;
}

/** `toolwright skills` */
export function skills(context: CommandContext, paths: readonly string[], options: SkillsOptions): Promise<void> {
  return withApplication(context, options, async (loaded) => {
    const { terminal, folder } = context;
    const needed = { name: '@toolwright/files/skills', place: 'skills' };
    const { writeSkills } = await loadPackage<typeof skillFiles>(folder, needed, loaded.format);
    const prompt = bindParams(selectPrompt(loaded, options.prompt), options.param ?? [], folder);
    const visibilityOverrides = parseOpenOption(prompt, ['all']);
    const rendered = await prompt.render({ session: await loaded.session(), visibilityOverrides });
    const written = writeSkills(rendered, paths.length === 0 ? undefined : paths);
    const changes = written.flatMap(({ name, files }) =>
      [...files].map(([path, bytes]) => ({
        path: `${options.out}/${name}/${path}`,
        after: new TextDecoder().decode(bytes),
      })),
    );
    writeFiles(folder, changes);
    if (options.json === true) terminal.json({ files: changes.map(({ path }) => path) });
    else for (const { path } of changes) terminal.data(path);
  });
}
