import { mkdir } from 'node:fs/promises';
import { bind, createApplication, Prompt, Session } from 'toolwright';
import { Filesystem } from 'toolwright/resources';
import { WorkspaceSection } from 'toolwright/sections';
import { HostFilesystem } from '@toolwright/files';

@Prompt({ ns: 'notes', key: 'editor', sections: [WorkspaceSection] })
class Editor {}

await mkdir('notes', { recursive: true });
const app = await createApplication({
  prompts: [Editor],
  // The section's tools can reach only this folder.
  resources: [bind(Filesystem, { eager: true, provide: () => HostFilesystem.open('./notes') })],
});
const session = new Session();
const prompt = await app.prompt(Editor).render({ session });
for (const path of ['milk.md', '../milk.md']) {
  const { kind } = await app.invoke(prompt, 'write_file', { path, content: 'Buy milk.' }, { session });
  console.log(`${path}: ${kind}`);
}
await app.close();
