import { agentSource, gitignore } from './shared.js';
import type { ProjectFiles, ProjectInput } from './Template.js';

/** A project without a host: an agent for a small shop, its test, and what runs it. */
export function plainProject({ name, toolwright, peers }: ProjectInput): ProjectFiles {
  const manifest = {
    name,
    private: true,
    type: 'module',
    scripts: {
      build: 'tsc',
      test: 'tsc && node --test dist/src/desk.test.js',
      check: 'toolwright check',
      chat: 'toolwright run --script replies.json',
    },
    dependencies: {
      toolwright,
      'reflect-metadata': peers['reflect-metadata'],
      'class-validator': peers['class-validator'],
      'class-transformer': peers['class-transformer'],
    },
    devDependencies: { typescript: '^6.0.0', '@types/node': '^20.19.0' },
  };
  return {
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'tsconfig.json': `${JSON.stringify(tsconfig, null, 2)}\n`,
    '.gitignore': gitignore,
    'toolwright.config.ts': config,
    'replies.json': replies,
    'src/desk.ts': agentSource,
    'src/desk.test.ts': test,
    'README.md': readme(name),
  };
}

const tsconfig = {
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    skipLibCheck: true,
    isolatedModules: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    types: ['node'],
    rootDir: '.',
    outDir: 'dist',
  },
  include: ['src', 'toolwright.config.ts'],
};

const config = `import { createApplication, Session } from 'toolwright';
import { Order, ShopDesk } from './src/desk.js';

// The command line loads this: npx toolwright check, render, tools, call, run.
export default () => createApplication({ prompts: [ShopDesk] });

export const session = () => new Session({ slices: [Order] });

// A model for \`toolwright run\`: npm install openai, and
// export const adapter = () => new OpenAIResponsesAdapter({ client: new OpenAI(), model: 'gpt-5-mini' });
`;

const replies = `[
  { "toolCalls": [{ "name": "place_order", "arguments": { "article": "tea", "count": 2 } }] },
  "Two teas are ordered."
]
`;

const test = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApplication, Session } from 'toolwright';
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
  assert.equal(text, 'Two teas are ordered.');
  assert.deepEqual(session.slice(Order).all(), [new Order('tea', 2)]);
  await app.close();
});
`;

function readme(name: string): string {
  return `# ${name}

- \`npm test\` runs the agent with a scripted model.
- \`npx toolwright render\` shows its prompt, \`npx toolwright tools\` its tools.
- \`npx toolwright call place_order '{"article":"tea","count":2}'\` rehearses a call.
- \`npm run chat\` talks with the scripted model.
`;
}
