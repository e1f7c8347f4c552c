import { setTimeout as sleep } from 'node:timers/promises';
import {
  createApplication,
  type Logger,
  Param,
  Prompt,
  PromptEvaluationError,
  Section,
  Tool,
  ToolContext,
  ToolRefusal,
} from 'toolwright';
import { MemoryRuns, openRuns } from '@toolwright/durable';
import { McpClient, type McpService, serveMcp } from '@toolwright/mcp';

type Form = Parameters<McpClient['elicit']>[1];

const CONFIRM: Form = { type: 'object', properties: { confirm: { type: 'boolean' } } };
const NAME: Form = { type: 'object', properties: { name: { type: 'string' } } };

function clientOf(context: ToolContext): McpClient {
  const client = McpClient.of(context);
  if (client === undefined) throw new ToolRefusal('No client is there.');
  return client;
}

class GreetParams {
  @Param('Who is greeted') name!: string;
}

class ComputeParams {
  @Param('How long it takes') seconds!: number;
  @Param({ description: 'Names the call', optional: true }) label?: string;
}

class DeleteParams {
  @Param('The file') filename!: string;
}

@Section({ title: 'Work', template: 'Tools that take long.' })
class WorkSection {
  @Tool({ description: 'Greets.', params: GreetParams, hints: { readOnly: true } })
  greet({ name }: GreetParams) {
    return `Hello, ${name}!`;
  }

  @Tool({ name: 'slow_compute', description: 'Computes.', params: ComputeParams, hints: { readOnly: true } })
  async slowCompute({ seconds, label }: ComputeParams, { signal }: ToolContext) {
    await sleep(seconds * 1_000, undefined, { signal });
    return `Computed ${label ?? 'it'}.`;
  }

  @Tool({ name: 'failing_job', description: 'Fails.' })
  async failingJob() {
    await sleep(200);
    throw new ToolRefusal('The job failed.');
  }

  @Tool({ name: 'protocol_error_job', description: 'Breaks off.' })
  protocolErrorJob(): string {
    throw new PromptEvaluationError('The server cannot run it.', { phase: 'tool' });
  }

  @Tool({ name: 'confirm_delete', description: 'Asks, then deletes.', params: DeleteParams })
  async confirmDelete({ filename }: DeleteParams, context: ToolContext) {
    const { content } = await clientOf(context).elicit(`Delete ${filename}?`, CONFIRM);
    return content?.['confirm'] === true ? `Deleted ${filename}.` : `Kept ${filename}.`;
  }

  @Tool({ name: 'multi_input', description: 'Asks two questions at once.' })
  async multiInput(context: ToolContext) {
    const client = clientOf(context);
    const answers = await Promise.all([client.elicit('First?', NAME), client.elicit('Second?', NAME)]);
    return answers.map(({ content }) => String(content?.['name'])).join(' and ');
  }

  @Tool({ name: 'test_tool_with_task', description: 'Asks, and goes on as a task.' })
  async askThenWork(context: ToolContext) {
    const client = clientOf(context);
    const { content } = await client.elicit('What is your name?', NAME, { key: 'user_name' });
    await client.continueAsTask();
    return `Hello, ${String(content?.['name'])}!`;
  }
}

@Prompt({ ns: 'conformance', key: 'tasks', sections: [WorkSection] })
class Tasks {}

/** The server that the scenarios for tasks require, written as users write it. */
export async function taskServer(): Promise<McpService> {
  // Some of its tools fail on purpose.
  const logger: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const app = await createApplication({ prompts: [Tasks], logger });
  return serveMcp(app, app.prompt(Tasks), {
    tasks: {
      open: (prepare) => openRuns(app, { store: new MemoryRuns(), prepare, concurrency: 32 }),
      tools: {
        slow_compute: 'optional',
        failing_job: 'required',
        protocol_error_job: 'optional',
        confirm_delete: 'optional',
        multi_input: 'optional',
        test_tool_with_task: { support: 'required', begins: 'handler' },
      },
    },
  });
}
