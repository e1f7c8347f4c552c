import {
  type Application,
  bind,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Param,
  type RenderedPrompt,
  Session,
  type ToolOutcome,
  ToolResult,
} from 'toolwright';
import type { ToolPolicy } from 'toolwright/policies';
import { Filesystem, InMemoryFilesystem } from 'toolwright/resources';
import { FakeClock } from 'toolwright/testing';

export interface PolicyDesk {
  readonly app: Application;
  readonly rendered: RenderedPrompt;
  readonly session: Session;
  readonly clock: FakeClock;
  /** Calls a tool; `fails` makes its handler refuse. */
  call(name: string, args?: Readonly<Record<string, unknown>>): Promise<ToolOutcome>;
}

/** Tools that only succeed, or fail if told so, under some policies. */
export async function policyDesk(
  policies: readonly ToolPolicy[],
  names: readonly string[],
  files?: Readonly<Record<string, string>>,
): Promise<PolicyDesk> {
  class Args {
    @Param({ description: 'Path', optional: true }) path?: string;
    @Param({ description: 'Whether it fails', optional: true }) fails?: boolean;
  }
  const tools = names.map((name) =>
    defineTool({
      name,
      description: 'Does nothing.',
      params: Args,
      hints: { readOnly: name.startsWith('read') },
      handler: ({ fails }: Args) => (fails === true ? ToolResult.error('failed') : ToolResult.ok()),
    }),
  );
  const section = defineSection({ key: 'desk', title: 'Desk', tools });
  const prompt = definePrompt({ ns: 'spec', key: 'policies', sections: [section], policies });
  const clock = new FakeClock('2030-01-01T00:00:00Z');
  const resources = files === undefined ? [] : [bind(Filesystem, { value: new InMemoryFilesystem({ files }) })];
  const quiet = { debug() {}, info() {}, warn() {}, error() {} };
  const app = await createApplication({ prompts: [prompt], clock, resources, logger: quiet });
  const rendered = await app.prompt(prompt).render();
  const session = new Session({ clock });
  return { app, rendered, session, clock, call: (name, args = {}) => app.invoke(rendered, name, args, { session }) };
}
