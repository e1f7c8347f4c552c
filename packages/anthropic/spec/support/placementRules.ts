import { isJson, list, objects, shown, strangers, type Json } from '../../../openai/spec/support/json';
import type { RequestRule } from '../../../openai/spec/support/RequestRule';
import { blocksOf } from './messageRules';

const TOOL_CHANGES = 'mid-conversation-tool-changes-2026-07-01';
const INLINE_TOOLS = 'inline-tools-2026-09-15';
const BINDING = 'thinking-binding-controls-2026-08-01';
const WITH_SYSTEM = /^claude-(opus-4-8|opus-5|opus-5-5|fable-5|fable-5-1|mythos-5|mythos-5-1|sonnet-5-5)$/;
const WITHOUT_FORCED = /^claude-(fable-5-1|mythos-5-1|opus-5-5|sonnet-5-5)$/;
const CHANGES = ['tool_addition', 'tool_removal'];
const MOST_DEFERRED = 10_000;
const MOST_BYTES = 4 * 1_024 * 1_024;

/** A change of tools in the middle of a conversation, and its place. */
export interface ToolChange {
  readonly place: string;
  /** The message that holds it. */
  readonly at: number;
  readonly type: string;
  readonly tool: Json;
}

/** The changes of tools of a request, in their order. */
export function toolChanges({ messages }: Json): readonly ToolChange[] {
  return objects(messages).flatMap(([at, message]) =>
    message['role'] !== 'system'
      ? []
      : blocksOf(message).flatMap((block, index) =>
          CHANGES.includes(String(block['type']))
            ? [
                {
                  place: `messages.${String(at)}.content.${String(index)}`,
                  at,
                  type: String(block['type']),
                  tool: isJson(block['tool']) ? block['tool'] : {},
                },
              ]
            : [],
        ),
  );
}

export function hasBeta({ betas }: Json, beta: string): boolean {
  return list(betas).includes(beta);
}

export const placementRules: readonly RequestRule[] = [
  {
    id: 'system-model',
    what: 'Only some models take system messages in the conversation.',
    check: (body) =>
      systemsOf(body).length > 0 && !WITH_SYSTEM.test(String(body['model']))
        ? [`messages.${String(systemsOf(body)[0])}: role 'system' is not supported on this model`]
        : [],
  },
  {
    id: 'system-place',
    what: 'A system message stands behind a user’s or a paused answer, and before an answer or last; never first.',
    check: (body) =>
      systemsOf(body).flatMap((at) => {
        const all = list(body['messages']);
        const [before, after] = [all[at - 1], all[at + 1]];
        const isBehind = roleOf(before) === 'user' || isPaused(before);
        return isBehind && (after === undefined || roleOf(after) === 'assistant')
          ? []
          : [`messages.${String(at)}: role 'system' must follow a user turn and precede an assistant turn or be last`];
      }),
  },
  {
    id: 'system-content',
    what: 'A system message holds texts and changes of tools, each of which names a tool.',
    check: (body) =>
      systemsOf(body).flatMap((at) =>
        blocksOf(list(body['messages'])[at]).flatMap((block, index) => {
          const place = `messages.${String(at)}.content.${String(index)}`;
          const { type, tool } = block;
          if (type === 'text') return [];
          if (!CHANGES.includes(String(type)))
            return [`${place}: Input tag '${String(type)}' is not permitted in system messages`];
          const isNamed = isJson(tool) && (tool['type'] === 'tool_reference' || tool['type'] === 'tool_definition');
          return isNamed && strangers(block, ['type', 'tool', 'cache_control']).length === 0
            ? []
            : [`${place}.tool: Input should be a reference to a tool`];
        }),
      ),
  },
  {
    id: 'tool-change-beta',
    what: 'Changes of tools take a beta, and those that define tools another.',
    check: (body) =>
      toolChanges(body).flatMap(({ place, type, tool }) =>
        !hasBeta(body, TOOL_CHANGES)
          ? [`${place}: ${type} requires the ${TOOL_CHANGES} beta`]
          : tool['type'] === 'tool_definition' && !hasBeta(body, INLINE_TOOLS)
            ? [`${place}: tool_definition requires the ${INLINE_TOOLS} beta`]
            : [],
      ),
  },
  {
    id: 'tool-change-paused',
    what: 'After a paused answer, no tools change.',
    check: (body) =>
      toolChanges(body).flatMap(({ at, place, type }) =>
        isPaused(list(body['messages'])[at - 1]) ? [`${place}: ${type} is not permitted after a paused turn`] : [],
      ),
  },
  {
    id: 'tool_reference_unresolved',
    what: 'A change names a tool of the request.',
    check: (body) => {
      const names = namesIn(body);
      return toolChanges(body).flatMap(({ place, tool }) =>
        tool['type'] !== 'tool_reference' || names.includes(tool['name'])
          ? []
          : [`${place}.tool: tool_reference '${shown(tool['name'])}' does not match any tool`],
      );
    },
  },
  {
    id: 'tool_name_conflict',
    what: 'A tool that is defined in the conversation has a name of its own.',
    check: (body) =>
      toolChanges(body).flatMap(({ place, tool: { definition } }) =>
        isJson(definition) && namesIn(body).includes(definition['name'])
          ? [`${place}.tool: tool '${shown(definition['name'])}' is defined already`]
          : [],
      ),
  },
  {
    id: 'available_tools_limit_exceeded',
    what: 'At most 10,000 tools are deferred, of 4 MiB together.',
    check: ({ tools }) => {
      const deferred = objects(tools).filter(([, tool]) => tool['defer_loading'] === true);
      return deferred.length > MOST_DEFERRED || JSON.stringify(deferred).length > MOST_BYTES
        ? ['tools: too many deferred tools']
        : [];
    },
  },
  {
    id: 'binding-beta',
    what: 'What becomes of thinking whose conversation has changed is said with a beta, in one of two words.',
    check: (body) => {
      const binding = isJson(body['thinking']) ? body['thinking']['block_binding'] : undefined;
      if (!isJson(binding)) return [];
      if (!hasBeta(body, BINDING)) return ['thinking.block_binding: Extra inputs are not permitted'];
      return ['error', 'drop_block', undefined].includes(binding['prefix_mismatch_behavior'] as string)
        ? []
        : ["thinking.block_binding.prefix_mismatch_behavior: Input should be 'error' or 'drop_block'"];
    },
  },
  {
    id: 'forced-choice',
    what: 'Some models take no choice that forces a call.',
    check: ({ model, tool_choice: choice }) =>
      isJson(choice) && ['any', 'tool'].includes(String(choice['type'])) && WITHOUT_FORCED.test(String(model))
        ? [`tool_choice: type '${String(choice['type'])}' is not supported on this model`]
        : [],
  },
];

/** The positions of system messages. */
function systemsOf({ messages }: Json): readonly number[] {
  return objects(messages).flatMap(([at, { role }]) => (role === 'system' ? [at] : []));
}

function roleOf(message: unknown): unknown {
  return isJson(message) ? message['role'] : undefined;
}

/** True for an answer whose last block is a call of the provider's own tool: it was paused there. */
function isPaused(message: unknown): boolean {
  return roleOf(message) === 'assistant' && blocksOf(message).at(-1)?.['type'] === 'server_tool_use';
}

function namesIn({ tools }: Json): readonly unknown[] {
  return objects(tools).map(([, { name }]) => name);
}
