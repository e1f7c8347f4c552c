import { ErrorCode, type GetPromptResult, type Prompt as ListedPrompt } from '@modelcontextprotocol/sdk/types.js';
import type { BoundPrompt } from 'toolwright';
import type { McpClient } from './McpClient.js';
import type { ServedPrompt } from './ServedPrompt.js';
import type { McpPrompt } from './McpPrompt.js';
import { listPromptArguments, bindArguments } from './listPromptArguments.js';
import { createProtocolError } from './createProtocolError.js';

/** The prompts that clients may offer to their users: the served prompt first, then the host's prompts. */
export class OfferedPrompts {
  readonly #served: ServedPrompt;
  readonly #all: readonly McpPrompt[];

  constructor(served: ServedPrompt) {
    this.#served = served;
    const { prompts = [] } = served.services.options;
    this.#all = [served.prompt, ...prompts].map((prompt) =>
      'metadata' in prompt ? this.#toMcpPrompt(prompt) : prompt,
    );
  }

  get list(): readonly ListedPrompt[] {
    return this.#all.map(({ name, title, description, arguments: args = [] }) => ({
      name,
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
      arguments: args.map((argument) => ({
        name: argument.name,
        ...(argument.description === undefined ? {} : { description: argument.description }),
        required: argument.required === true,
      })),
    }));
  }

  /** Gets a prompt with its messages. @throws McpError -32602 for an unknown prompt or wrong arguments */
  async get(name: string, args: Readonly<Record<string, string>>, client: McpClient): Promise<GetPromptResult> {
    const prompt = this.#find(name);
    const missing = (prompt.arguments ?? []).find(
      (argument) => argument.required === true && !Object.hasOwn(args, argument.name),
    );
    if (missing !== undefined)
      throw createProtocolError(
        ErrorCode.InvalidParams,
        `The prompt ${JSON.stringify(name)} needs the argument ${JSON.stringify(missing.name)}.`,
      );
    const messages = [...(await prompt.messages(args, client))];
    return { ...(prompt.description === undefined ? {} : { description: prompt.description }), messages };
  }

  /** Returns the values of an argument that begin with the typed text. */
  values(name: string, argument: string, typed: string): readonly string[] {
    const { values = [] } = this.#find(name).arguments?.find((each) => each.name === argument) ?? {};
    return values.filter((value) => value.toLowerCase().startsWith(typed.toLowerCase()));
  }

  #find(name: string): McpPrompt {
    const found = this.#all.find((prompt) => prompt.name === name);
    if (found !== undefined) return found;
    const known = this.#all.map((prompt) => prompt.name).join(', ');
    throw createProtocolError(
      ErrorCode.InvalidParams,
      `There is no prompt ${JSON.stringify(name.slice(0, 200))}. There are: ${known}.`,
    );
  }

  #toMcpPrompt(prompt: BoundPrompt): McpPrompt {
    const { session } = this.#served;
    return {
      name: prompt.key,
      title: prompt.name,
      description: `The text of ${prompt.name} for the model.`,
      arguments: listPromptArguments(prompt),
      messages: async (args) => {
        const { text } = await bindArguments(prompt, args).render({ session });
        return [{ role: 'user', content: { type: 'text', text } }];
      },
    };
  }
}
