import { setTimeout as sleep } from 'node:timers/promises';
import { createApplication, defineTool, type Logger, Param, Prompt, Section, Tool, ToolContext } from 'toolwright';
import {
  McpClient,
  McpContent,
  type McpPrompt,
  type McpResource,
  type McpResourceTemplate,
  type McpService,
  serveMcp,
} from '@toolwright/mcp';
import type { StandardSchema } from 'toolwright/schema';

/** A red pixel, and silence. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';

type Form = Parameters<McpClient['elicit']>[1];

const EVERY_SCALAR: Form = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
};

const titled = (prefix: string, word: string): { const: string; title: string }[] =>
  ['First', 'Second', 'Third'].map((ordinal, index) => ({
    const: `${prefix}${String(index + 1)}`,
    title: `${ordinal} ${word}`,
  }));

const OPTIONS = ['option1', 'option2', 'option3'];
const EVERY_CHOICE: Form = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: OPTIONS },
    titledSingle: { type: 'string', oneOf: titled('value', 'Option') },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: OPTIONS } },
    titledMulti: { type: 'array', items: { anyOf: titled('value', 'Choice') } },
  },
};

/** A schema of another library, with the keywords that must reach the client as they are. */
const addressed = {
  '~standard': {
    version: 1,
    vendor: 'fixture',
    validate: (value: unknown) => ({ value }),
    jsonSchema: {
      input: () => ({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        $defs: {
          address: {
            $anchor: 'addressDef',
            type: 'object',
            properties: { street: { type: 'string' }, city: { type: 'string' } },
          },
        },
        properties: {
          name: { type: 'string' },
          address: { $ref: '#/$defs/address' },
          contactMethod: { type: 'string', enum: ['phone', 'email'] },
          phone: { type: 'string' },
          email: { type: 'string' },
        },
        allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
        if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
        then: { required: ['phone'] },
        else: { required: ['email'] },
        additionalProperties: false,
      }),
      output: () => ({}),
    },
  },
} as unknown as StandardSchema<unknown, object>;

const schemaTool = defineTool({
  name: 'json_schema_2020_12_tool',
  description: 'Tool with JSON Schema 2020-12 features',
  params: addressed,
  handler: () => 'Done.',
});

/** The client of a call that is known to have one. */
function clientOf(context: ToolContext): McpClient {
  const client = McpClient.of(context);
  if (client === undefined) throw new Error('There is no MCP client.');
  return client;
}

@Section({ title: 'Content', template: 'Every kind of content.' })
class ContentSection {
  @Tool({ name: 'test_simple_text', description: 'Gives a text.' })
  simpleText() {
    return 'This is a simple text response for testing.';
  }

  @Tool({ name: 'test_image_content', description: 'Gives an image.' })
  image() {
    return McpContent.of(McpContent.image(PNG, 'image/png'));
  }

  @Tool({ name: 'test_audio_content', description: 'Gives a recording.' })
  audio() {
    return McpContent.of(McpContent.audio(WAV, 'audio/wav'));
  }

  @Tool({ name: 'test_embedded_resource', description: 'Gives a document.' })
  document() {
    const text = 'This is an embedded resource content.';
    return McpContent.of(McpContent.resource('test://embedded-resource', text, 'text/plain'));
  }

  @Tool({ name: 'test_multiple_content_types', description: 'Gives a text, an image and a document.' })
  mixed() {
    return McpContent.of(
      McpContent.text('Multiple content types test:'),
      McpContent.image(PNG, 'image/png'),
      McpContent.resource('test://mixed-content-resource', '{"test":"data","value":123}', 'application/json'),
    );
  }

  @Tool({ name: 'test_error_handling', description: 'Fails.' })
  fail(): string {
    throw new Error('This tool intentionally returns an error for testing');
  }
}

@Section({ title: 'Talk', template: 'Tools that speak with the client.', tools: [schemaTool] })
class TalkSection {
  @Tool({ name: 'test_tool_with_logging', description: 'Writes to the log of the client.' })
  async log(context: ToolContext) {
    for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await clientOf(context).log('info', line);
      await sleep(50);
    }
    return 'Done.';
  }

  @Tool({ name: 'test_tool_with_progress', description: 'Tells how far it has come.' })
  async progress(context: ToolContext) {
    for (const fraction of [0, 0.5, 1]) {
      context.reportProgress({ fraction });
      // Longer than the suite asks for: its client drops progress that arrives together with the answer.
      await sleep(150);
    }
    return 'Done.';
  }

  @Tool({ name: 'test_sampling', description: 'Lets the model of the client write.' })
  async sample(@Param('prompt', 'What it is asked') prompt: string, context: ToolContext) {
    const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: prompt } }];
    const { content } = await clientOf(context).sample({ messages, maxTokens: 100 });
    return `LLM response: ${content.type === 'text' ? content.text : content.type}`;
  }

  @Tool({ name: 'test_elicitation', description: 'Asks the user of the client.' })
  async elicit(@Param('message', 'What the user reads') message: string, context: ToolContext) {
    const { action, content } = await clientOf(context).elicit(message, {
      type: 'object',
      properties: {
        username: { type: 'string', description: "User's response" },
        email: { type: 'string', description: "User's email address" },
      },
      required: ['username', 'email'],
    });
    return `User response: action=${action}, content=${JSON.stringify(content)}`;
  }

  @Tool({ name: 'test_elicitation_sep1034_defaults', description: 'Asks with defaults.' })
  async elicitDefaults(context: ToolContext) {
    const { action, content } = await clientOf(context).elicit('Please review the form.', EVERY_SCALAR);
    return `Elicitation completed: action=${action}, content=${JSON.stringify(content)}`;
  }

  @Tool({ name: 'test_elicitation_sep1330_enums', description: 'Asks with choices.' })
  async elicitChoices(context: ToolContext) {
    const { action, content } = await clientOf(context).elicit('Please choose.', EVERY_CHOICE);
    return `Elicitation completed: action=${action}, content=${JSON.stringify(content)}`;
  }

  @Tool({ name: 'test_reconnection', description: 'Ends its stream before it answers.' })
  async reconnect(context: ToolContext) {
    clientOf(context).closeStream();
    await sleep(100);
    return 'The answer came on another stream.';
  }
}

const form = (name: string): Form => ({ type: 'object', properties: { [name]: { type: 'string' } }, required: [name] });
const CONFIRM: Form = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };
const FRANCE = {
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text: 'What is the capital of France?' } }],
  maxTokens: 100,
};

/** The tools of the scenarios of 2026-07-28, which ask by results. */
@Section({ title: 'Questions', template: 'Tools that ask the client.' })
class QuestionsSection {
  @Tool({ name: 'test_input_required_result_elicitation', description: 'Asks for a name.' })
  async name(context: ToolContext) {
    const { content } = await clientOf(context).elicit('What is your name?', form('name'), { key: 'user_name' });
    return `Hello, ${String(content?.['name'])}!`;
  }

  @Tool({ name: 'test_input_required_result_sampling', description: 'Asks the model of the client.' })
  async capital(context: ToolContext) {
    const { content } = await clientOf(context).sample(FRANCE, { key: 'capital_question' });
    return content.type === 'text' ? content.text : content.type;
  }

  @Tool({ name: 'test_input_required_result_list_roots', description: 'Asks for folders.' })
  async roots(context: ToolContext) {
    const { roots } = await clientOf(context).listRoots({ key: 'client_roots' });
    return roots.map(({ uri }) => uri).join(', ');
  }

  @Tool({ name: 'test_input_required_result_request_state', description: 'Asks for a confirmation.' })
  async confirm(context: ToolContext) {
    const { action } = await clientOf(context).elicit('Please confirm', CONFIRM, { key: 'confirm' });
    return `state-ok: ${action}`;
  }

  @Tool({ name: 'test_input_required_result_tampered_state', description: 'Asks for a confirmation.' })
  async guard(context: ToolContext) {
    const { action } = await clientOf(context).elicit('Please confirm', CONFIRM, { key: 'confirm' });
    return `state-ok: ${action}`;
  }

  @Tool({ name: 'test_input_required_result_multiple_inputs', description: 'Asks three questions at once.' })
  async several(context: ToolContext) {
    const client = clientOf(context);
    const [{ content }, greeting, { roots }] = await Promise.all([
      client.elicit('What is your name?', form('name'), { key: 'user_name' }),
      client.sample(FRANCE, { key: 'greeting' }),
      client.listRoots({ key: 'client_roots' }),
    ]);
    return `${String(content?.['name'])}, ${greeting.role}, ${String(roots.length)}`;
  }

  @Tool({ name: 'test_input_required_result_multi_round', description: 'Asks two questions in turn.' })
  async inTurn(context: ToolContext) {
    const client = clientOf(context);
    const first = await client.elicit('Step 1: What is your name?', form('name'), { key: 'step1' });
    const second = await client.elicit('Step 2: What is your favorite color?', form('color'), { key: 'step2' });
    return `${String(first.content?.['name'])} likes ${String(second.content?.['color'])}.`;
  }

  @Tool({ name: 'test_input_required_result_capabilities', description: 'Asks what the client supports.' })
  async supported(context: ToolContext) {
    const client = clientOf(context);
    if (client.supports('elicitation')) return client.elicit('Please confirm', CONFIRM).then(({ action }) => action);
    const { role } = await client.sample(FRANCE);
    return role;
  }

  @Tool({ name: 'test_missing_capability', description: 'Samples, whatever the client supports.' })
  async unsupported(context: ToolContext) {
    const { role } = await clientOf(context).sample(FRANCE);
    return role;
  }

  @Tool({ name: 'test_streaming_elicitation', description: 'Reports progress, then asks.' })
  async streaming(context: ToolContext) {
    context.reportProgress({ fraction: 0.5 });
    const { action } = await clientOf(context).elicit('Please confirm', CONFIRM);
    return action;
  }

  @Tool({ name: 'test_logging_tool', description: 'Writes to the log of the client.' })
  async logOnce(context: ToolContext) {
    await clientOf(context).log('info', 'Logged.');
    return 'Done.';
  }
}

/** The sections that `test_trigger_tool_change` shows and hides. */
let isShown = false;

@Section({ title: 'Change', template: 'A tool that shows another one.' })
class ChangeSection {
  @Tool({ name: 'test_trigger_tool_change', description: 'Changes the list of tools.' })
  change() {
    isShown = !isShown;
    return 'Changed.';
  }
}

@Section({ title: 'Extra', template: 'Is there at times.', enabled: () => isShown })
class ExtraSection {
  @Tool({ name: 'test_extra', description: 'Is there at times.' })
  extra() {
    return 'Extra.';
  }
}

@Prompt({
  ns: 'conformance',
  key: 'fixture',
  sections: [ContentSection, TalkSection, QuestionsSection, ChangeSection, ExtraSection],
  heading: 'plain',
})
class Fixture {}

class TwoTexts {
  @Param('First test argument') arg1!: string;
  @Param('Second test argument') arg2!: string;
}

@Section({
  title: 'Texts',
  params: () => TwoTexts,
  template: "Prompt with arguments: arg1='${arg1}', arg2='${arg2}'",
})
class TextsSection {}

@Prompt({ ns: 'conformance', key: 'test_prompt_with_arguments', sections: [TextsSection] })
class WithArguments {}

const prompts: readonly McpPrompt[] = [
  {
    name: 'test_simple_prompt',
    description: 'A simple prompt.',
    messages: () => [{ role: 'user', content: { type: 'text', text: 'This is a simple prompt for testing.' } }],
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'A prompt with a document.',
    arguments: [{ name: 'resourceUri', description: 'URI of the resource to embed', required: true }],
    messages: ({ resourceUri = '' }) => [
      {
        role: 'user',
        content: McpContent.resource(resourceUri, 'Embedded resource content for testing.', 'text/plain'),
      },
      { role: 'user', content: { type: 'text', text: 'Please process the embedded resource above.' } },
    ],
  },
  {
    name: 'test_input_required_result_prompt',
    description: 'A prompt that asks.',
    messages: async (_args, client) => {
      const asked = await client.elicit('What context should the prompt use?', form('context'), {
        key: 'user_context',
      });
      return [{ role: 'user', content: { type: 'text', text: `Use ${String(asked.content?.['context'])}.` } }];
    },
  },
  {
    name: 'test_prompt_with_image',
    description: 'A prompt with an image.',
    messages: () => [
      { role: 'user', content: McpContent.image(PNG, 'image/png') },
      { role: 'user', content: { type: 'text', text: 'Please analyze the image above.' } },
    ],
  },
];

const resources: readonly McpResource[] = [
  {
    uri: 'test://static-text',
    name: 'static-text',
    description: 'A text.',
    mimeType: 'text/plain',
    read: () => 'This is the content of the static text resource.',
  },
  {
    uri: 'test://static-binary',
    name: 'static-binary',
    description: 'An image.',
    mimeType: 'image/png',
    read: () => Buffer.from(PNG, 'base64'),
  },
  {
    uri: 'test://watched-resource',
    name: 'watched-resource',
    description: 'A text that changes.',
    mimeType: 'text/plain',
    read: () => 'Watched.',
  },
];

const resourceTemplates: readonly McpResourceTemplate[] = [
  {
    uriTemplate: 'test://template/{id}/data',
    name: 'template',
    description: 'Data by id.',
    mimeType: 'application/json',
    read: ({ id }) => JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
  },
];

/** The server that the official conformance suite requires, written as users write it. */
export async function conformanceServer(): Promise<McpService> {
  // One of its tools fails on purpose.
  const logger: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: console.error };
  const app = await createApplication({ prompts: [Fixture, WithArguments], logger });
  return serveMcp(app, app.prompt(Fixture), {
    prompts: [app.prompt(WithArguments), ...prompts],
    resources,
    resourceTemplates,
  });
}
