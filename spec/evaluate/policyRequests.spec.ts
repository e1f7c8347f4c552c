import {
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Session,
  VisibilityExpansionRequired,
} from 'toolwright';
import { allow, type ToolPolicy } from 'toolwright/policies';
import { ScriptedModel } from 'toolwright/testing';
import { SectionsRequested, ToolInvoked } from 'toolwright/events';
import { silent } from '../support/silent';

const request = (): never => {
  throw new VisibilityExpansionRequired({
    sectionKeys: ['more'],
    reason: 'to see',
    requestedOverrides: { more: 'full' },
  });
};

test.each<[what: string, policy: Omit<ToolPolicy, 'name'>, kind: string]>([
  ['judges', { check: request }, 'denied'],
  ['takes note', { check: () => allow, onResult: request }, 'failed'],
])('a policy that throws a request for sections when it %s opens none', async (_what, policy, kind) => {
  const policies = [{ name: 'nosy', ...policy }];
  const act = defineTool({ name: 'act', description: 'Acts.', policies, handler: () => 'done' });
  const sections = [
    defineSection({ key: 'desk', title: 'Desk', tools: [act] }),
    defineSection({ key: 'more', title: 'More', template: 'Long.', summary: 'Short.', visibility: 'summary' }),
  ];
  const prompt = definePrompt({ ns: 'spec', key: 'nosy', sections });
  const app = await createApplication({ prompts: [prompt], logger: silent });
  const adapter = new ScriptedModel([{ toolCalls: [{ name: 'act', arguments: {} }] }, { text: 'Done.' }]);
  const events: object[] = [];
  const onEvent = (event: object): void => void events.push(event);
  await app.evaluate(app.prompt(prompt), { adapter, session: new Session(), onEvent });
  expect(events.filter((value) => value instanceof ToolInvoked)).toMatchObject([{ name: 'act', kind }]);
  expect(events.filter((event) => event instanceof SectionsRequested)).toEqual([]);
  expect(adapter.requests.map((sent) => JSON.stringify(sent).includes('Long.'))).toEqual([false, false]);
});
