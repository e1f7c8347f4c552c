import { bind, createApplication, definePrompt, Session, type ToolOutcome } from 'toolwright';
import type { Interceptor } from 'toolwright/policies';
import { Filesystem, InMemoryFilesystem } from 'toolwright/resources';
import { WorkspaceSection } from 'toolwright/sections';
import { silent } from '../../support/silent';

/** The outcome of a call of a workspace tool. */
export interface Worked {
  readonly kind: ToolOutcome['kind'];
  readonly text: string;
  readonly value: unknown;
}

/** An application with the workspace section alone, over files in memory; `null` binds no filesystem. */
export async function workbench(
  files: Readonly<Record<string, string>> | Filesystem | null = {},
  interceptors: readonly Interceptor[] = [],
) {
  const desk = definePrompt({ ns: 'coding', key: 'desk', sections: [WorkspaceSection] });
  const filesystem =
    files === null || files instanceof Filesystem ? files : new InMemoryFilesystem({ files: { ...files } });
  const resources = filesystem === null ? [] : [bind(Filesystem, { value: filesystem })];
  const app = await createApplication({ prompts: [desk], resources, interceptors, logger: silent });
  const session = new Session();
  const rendered = await app.prompt(desk).render({ session });
  const call = async (name: string, args: Record<string, unknown> = {}): Promise<Worked> => {
    const { kind, text, result } = await app.invoke(rendered, name, args, { session });
    return { kind, text, value: result.value };
  };
  const contents = (): Readonly<Record<string, string>> =>
    filesystem instanceof InMemoryFilesystem ? { ...filesystem.files() } : {};
  return { app, rendered, session, call, contents };
}
