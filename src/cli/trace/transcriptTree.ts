import type colors from 'picocolors';
import type { Message } from '../../value/Message.js';
import { printable } from '../Terminal.js';
import type { TraceNode } from './tree.js';

const SHOWN = 100;

/** The messages of a transcript; calls with their answers stand under the answer that makes them. */
export function transcriptTree(
  messages: readonly Message[],
  paint: ReturnType<typeof colors.createColors>,
): readonly TraceNode[] {
  const roots: TraceNode[] = [];
  const calls = new Map<string, string>();
  let answer: TraceNode | undefined;
  for (const message of messages) {
    if (message.role === 'tool') {
      const text = `${paint.cyan(message.name)} ${paint.dim(calls.get(message.toolCallId) ?? '')} ${short(textOf(message))}`;
      (answer?.children ?? roots).push({ text, children: [] });
      continue;
    }
    const node = { text: `${paint.bold(message.role)} ${short(textOf(message))}`, children: [] };
    roots.push(node);
    if (message.role !== 'assistant') continue;
    answer = node;
    for (const { id, arguments: args } of message.toolCalls ?? [])
      calls.set(id, short(typeof args === 'string' ? args : JSON.stringify(args)));
  }
  return roots;
}

function textOf({ content }: Message): string {
  return content ?? '';
}

function short(text: string): string {
  const line = printable(text).replace(/\s+/g, ' ').trim();
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
}
