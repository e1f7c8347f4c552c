import type { BoundPrompt, Message } from 'toolwright';
import type { BundleEntry } from 'toolwright/bundles';
import { InspectorError } from './InspectorError.js';
import type { EntrySource } from './EntrySource.js';

/** The parts of a moment that a fork may change, as they were recorded: without secrets. */
export interface ForkChoices {
  readonly run: string;
  /** The `seq` of the call or run. */
  readonly seq: number;
  /** The request that led to the moment; 1 for the first. */
  readonly turn: number;
  readonly prompt: string;
  /** The last message of the user. */
  readonly message?: string | undefined;
  /** The answer of the model. */
  readonly answer?: { readonly text: string; readonly toolCalls: readonly object[] } | undefined;
  /** The text of the call's outcome that the model read. */
  readonly outcome?: { readonly callId: string; readonly name: string; readonly text: string } | undefined;
  /** The templates of sections that may be overridden. */
  readonly sections: readonly { readonly path: string; readonly title: string; readonly text: string }[];
}

/** Reads the parts that may be changed at an entry of a run. @throws InspectorError 404, 409 */
export function readForkChoices(source: EntrySource, seq: number, prompt: (run: string) => BoundPrompt): ForkChoices {
  const { run, turn, call, of } = placeOf(source, seq);
  const begun = source.find('run', (entry) => entry.run === run);
  if (begun?.parent !== undefined)
    throw new InspectorError(409, 'this run took place within a call, whose state was not final', `run ${run}`);
  const answer = source.find('answer', (entry) => entry.run === run && entry.turn === turn);
  const first = source.find('request', (entry) => entry.run === run && entry.turn === 1);
  const outcome = call && source.find('outcome', (entry) => entry.of === call.seq);
  return {
    run,
    turn,
    seq: of,
    prompt: begun?.prompt ?? '',
    message: findLastUserText(first),
    answer: answerOf(answer),
    outcome: call && outcomeOf(call, outcome),
    sections: sectionsOf(prompt(run)),
  };
}

interface Place {
  readonly run: string;
  readonly turn: number;
  readonly of: number;
  readonly call?: BundleEntry<'call'> | undefined;
}

/** Finds the request to which an entry belongs. @throws InspectorError 404 */
function placeOf(source: EntrySource, seq: number): Place {
  const entry = source.entry(seq);
  switch (entry.kind) {
    case 'call': {
      const outer = findOutermostCall(source, entry);
      return { run: outer.run, turn: outer.turn, of: outer.seq, call: outer };
    }
    case 'request':
      return { run: entry.run, turn: entry.turn, of: seq };
    case 'run':
      return { run: entry.run, turn: 1, of: seq };
    default: {
      const { of } = entry as Partial<Extract<BundleEntry, { of: number }>>;
      if (of === undefined) throw new InspectorError(404, 'this entry belongs to no run', `entry ${String(seq)}`);
      return placeOf(source, of);
    }
  }
}

/** Finds the call of the model during which another call was made. */
function findOutermostCall(source: EntrySource, call: BundleEntry<'call'>): BundleEntry<'call'> {
  if (call.parent === undefined) return call;
  const above = source.entry(call.parent);
  return above.kind === 'call' ? findOutermostCall(source, above) : call;
}

function findLastUserText(request: BundleEntry<'request'> | undefined): string | undefined {
  const last = request?.messages?.findLast((message) => isOfUser(message));
  return last?.content ?? undefined;
}

/** Checks that a message was written by the user, not by the run itself. */
export function isOfUser(message: Message): boolean {
  return message.role === 'user' && message.note === undefined;
}

function answerOf(answer: BundleEntry<'answer'> | undefined): ForkChoices['answer'] {
  if (answer === undefined || answer.problem !== undefined) return undefined;
  return { text: answer.text ?? '', toolCalls: answer.toolCalls ?? [] };
}

function outcomeOf(
  { callId, name }: BundleEntry<'call'>,
  outcome: BundleEntry<'outcome'> | undefined,
): ForkChoices['outcome'] {
  return outcome && { callId, name, text: outcome.text };
}

function sectionsOf({ metadata }: BoundPrompt): ForkChoices['sections'] {
  return metadata.allSections.flatMap(({ path, title, template, renderBody, acceptsOverrides }) => {
    if (!acceptsOverrides || template === undefined || renderBody !== undefined) return [];
    const parts = template.parts.map((part) =>
      'text' in part ? part.text.replaceAll('$', '$$$$') : `\${${part.placeholder}}`,
    );
    return [{ path, title, text: parts.join('') }];
  });
}
