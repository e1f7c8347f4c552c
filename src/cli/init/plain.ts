import { newProject, testTexts } from './shared.js';
import type { AgentFiles, ProjectFiles, ProjectInput, TestRunner } from './Template.js';

/** A project without a host: an agent for a small shop, its test, and what runs it. */
export function plainProject(input: ProjectInput): ProjectFiles {
  return newProject(input, {
    scripts: {},
    config: `${appOf('./src/desk.js', '')}
// A model for \`toolwright run\`: npm install openai, and
// export const adapter = () => new OpenAIResponsesAdapter({ client: new OpenAI(), model: 'gpt-5-mini' });
`,
    replies,
    sources: { 'src/desk.ts': agentOf(true), 'src/desk.test.ts': testOf('node') },
    about,
  });
}

/**
 * The agent that `add` puts into an application: its section and prompt, what creates the application, and a test.
 *
 * @param app the path of the module that creates the application
 * @param hasEmittedTypes false if nothing emits the types of decorated members, so that the agent has to name them
 */
export function plainAgent(runner: TestRunner, app: string, hasEmittedTypes: boolean): AgentFiles {
  return {
    sources: { 'desk.ts': agentOf(hasEmittedTypes), 'app.ts': appOf('./desk.js', ` --app ${app}`) },
    test: testOf(runner),
  };
}

function agentOf(hasEmittedTypes: boolean): string {
  const [ctx, context, params] = hasEmittedTypes ? ['', '', ''] : ['Ctx, ', '@Ctx() ', ' params: PlaceOrderParams,'];
  const article = hasEmittedTypes
    ? "'The article, such as tea'"
    : "{ description: 'The article, such as tea', type: String }";
  return `import 'reflect-metadata';
import { ${ctx}Param, Prompt, Section, Tool, ToolContext, ToolRefusal } from 'toolwright';

/** State of a conversation: what was ordered. */
export class Order {
  @Param({ description: 'Article', type: String }) readonly article: string;
  @Param({ description: 'Pieces', type: Number }) readonly count: number;

  constructor(article: string, count: number) {
    this.article = article;
    this.count = count;
  }
}

export class PlaceOrderParams {
  @Param(${article})
  article!: string;

  @Param({ description: 'How many', integer: true${hasEmittedTypes ? '' : ', type: Number'} })
  count!: number;
}

@Section({ key: 'orders', title: 'Orders', template: 'Take orders for tea and cake. Ask how many.' })
export class Orders {
  @Tool({ description: 'List what was ordered.', hints: { readOnly: true } })
  listOrders(${context}{ session }: ToolContext): readonly Order[] {
    return session.slice(Order).all();
  }

  @Tool({ description: 'Place an order.',${params} hints: { openWorld: false } })
  placeOrder({ article, count }: PlaceOrderParams, { session }: ToolContext): string {
    if (!['tea', 'cake'].includes(article)) throw new ToolRefusal(\`There is no \${article}.\`);
    session.dispatch(new Order(article, count));
    return \`Ordered: \${count} \${article}.\`;
  }
}

@Prompt({ ns: 'shop', key: 'desk', sections: [Orders] })
export class ShopDesk {}
`;
}

/** The module that creates the application. @param option how the command line finds it */
function appOf(from: string, option: string): string {
  return `import { createApplication, Session } from 'toolwright';
import { Order, ShopDesk } from '${from}';

// The command line loads this: npx toolwright check${option}, and so do render, tools, call and run.
export default () => createApplication({ prompts: [ShopDesk] });

export const session = () => new Session({ slices: [Order] });
`;
}

const replies = `[
  { "toolCalls": [{ "name": "place_order", "arguments": { "article": "tea", "count": 2 } }] },
  "Two teas are ordered."
]
`;

function testOf(runner: TestRunner): string {
  const { imports, equal } = testTexts(runner);
  return `${imports}import { createApplication, Session } from 'toolwright';
import { ScriptedModel } from 'toolwright/testing';
import { Order, ShopDesk } from './desk.js';

test('an order of the model is placed', async () => {
  const app = await createApplication({ prompts: [ShopDesk] });
  const session = new Session({ slices: [Order] });
  const adapter = new ScriptedModel([
    { toolCalls: [{ name: 'place_order', arguments: { article: 'tea', count: 2 } }] },
    { text: 'Two teas are ordered.' },
  ]);
  const { text } = await app.evaluate(app.prompt(ShopDesk), {
    adapter,
    session,
    messages: [{ role: 'user', content: 'Two teas, please.' }],
  });
  ${equal('text', "'Two teas are ordered.'")}
  ${equal('session.slice(Order).all()', "[new Order('tea', 2)]")}
  await app.close();
});
`;
}

const about = [
  '`npm test` runs the agent with a scripted model.',
  '`npx toolwright render` shows its prompt, `npx toolwright tools` its tools.',
  '`npx toolwright call place_order \'{"article":"tea","count":2}\'` rehearses a call.',
  '`npm run chat` talks with the scripted model.',
];
