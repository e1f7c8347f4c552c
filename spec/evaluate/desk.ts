import {
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Param,
  type Application,
  type Constructor,
} from 'toolwright';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
/** An application with one section, its prompt class beside it. */
export async function deskOf(
  tools: readonly Constructor[],
): Promise<{ readonly app: Application; readonly type: Constructor }> {
  const section = defineSection({ key: 'desk', title: 'Desk', template: 'Help.', tools });
  const type = definePrompt({ ns: 'spec', key: 'desk', sections: [section], heading: 'plain' });
  return { app: await createApplication({ prompts: [type], logger: quiet }), type };
}
/** The reason with which the promise rejects; fails the test when it does not. */
export const rejection = async (promise: Promise<unknown>): Promise<unknown> => {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  if (outcome === undefined) throw new Error('nothing was thrown');
  return outcome.error;
};

/** A tool that adds two numbers. */
export const add = () => {
  class Sum {
    @Param('Left') a!: number;
    @Param('Right') b!: number;
  }
  return defineTool({ name: 'add', description: 'Adds.', params: Sum, handler: ({ a, b }) => a + b });
};
