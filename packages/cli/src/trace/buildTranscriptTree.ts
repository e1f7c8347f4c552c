import type { Message } from 'toolwright';
import { MAX_MESSAGE_CHARS } from '../limits.js';
import { shorten, bold, cyan, dim, line } from '../terminal/TerminalText.js';
import type { TraceNode } from './drawTrees.js';

/** Builds a tree of a transcript's messages. Calls with their outcomes are below the message that makes them. */
export function buildTranscriptTree(messages: readonly Message[]): readonly TraceNode[] {
  const roots: TraceNode[] = [];
  const calls = new Map<string, string>();
  let answer: TraceNode | undefined;
  for (const message of messages) {
    const said = shorten(message.content ?? '', MAX_MESSAGE_CHARS);
    if (message.role === 'tool') {
      const text = line`${cyan(message.name)} ${dim(calls.get(message.toolCallId) ?? '')} ${said}`;
      (answer?.children ?? roots).push({ text, children: [] });
      continue;
    }
    const node = { text: line`${bold(message.role)} ${said}`, children: [] };
    roots.push(node);
    if (message.role !== 'assistant') continue;
    answer = node;
    for (const { id, arguments: args } of message.toolCalls ?? [])
      calls.set(id, shorten(typeof args === 'string' ? args : JSON.stringify(args), MAX_MESSAGE_CHARS));
  }
  return roots;
}
