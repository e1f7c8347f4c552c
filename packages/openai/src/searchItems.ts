import type { OpenAI } from 'openai';
import type { ToolCall } from 'toolwright';
import type { ToolSchema } from 'toolwright/adapters';
import { readCallInput } from 'toolwright/internal';
import type { Fields } from 'toolwright/internal/light';
import { writeFunctionTool } from './writeTools.js';

type SearchCall = OpenAI.Responses.ResponseInputItem.ToolSearchCall;
type SearchOutput = OpenAI.Responses.ResponseToolSearchOutputItemParam;

/** The tool that a search calls; its item has no name. */
export const SEARCH_TOOL = 'search_tools';

/** Returns true for a search that Toolwright answers. The provider has answered a search with `execution: 'server'` itself. */
export function isSearchCall({ type, execution }: Fields): boolean {
  return type === 'tool_search_call' && execution !== 'server';
}

/** Writes a search that the provider has not written itself, such as one of another model. */
export function writeSearchCall(id: string, given: ToolCall['arguments']): SearchCall {
  return {
    type: 'tool_search_call',
    call_id: id,
    execution: 'client',
    status: 'completed',
    arguments: readCallInput(given),
  };
}

/** Returns a search as the model wrote it, with the id that is sent, and without the field that is part of answers only. */
export function writeNativeSearch({ created_by: _actor, ...item }: Fields, id: string): SearchCall {
  return { ...item, type: 'tool_search_call', call_id: id, execution: 'client', arguments: item['arguments'] ?? {} };
}

/** Writes the result of a search: the definitions of the found tools, which can be called from here on. */
export function writeSearchOutput(id: string, found: readonly ToolSchema[]): SearchOutput {
  return {
    type: 'tool_search_output',
    call_id: id,
    execution: 'client',
    status: 'completed',
    tools: found.map((tool) => ({ ...writeFunctionTool(tool), defer_loading: true })),
  };
}
