import type { ShownEntry } from 'toolwright/conversations';
import type { AgUiInterrupt } from './agUiEvents.js';

/** The form of an answer to `may it run?`, from which a client builds its buttons. */
const APPROVAL_SCHEMA = {
  type: 'object',
  properties: {
    approved: { type: 'boolean' },
    editedArgs: {
      type: 'object',
      description: 'Arguments to run the call with, in place of those that the model wrote.',
    },
    reason: { type: 'string', description: 'Why it may not run. The model reads it.' },
  },
  required: ['approved'],
} as const;

/** The form of an answer to a question about a call that was cut off. */
const UNKNOWN_OUTCOME_SCHEMA = {
  type: 'object',
  properties: {
    repeat: { type: 'boolean', description: 'Run the call again.' },
    outcome: { type: 'string', description: 'The outcome of the call, which the model reads.' },
  },
} as const;

/** Returns the parts of an interrupt that a client shows for a question. */
export function describeQuestion({
  about,
  name,
}: Pick<ShownEntry<'question'>, 'about' | 'name'>): Pick<AgUiInterrupt, 'reason' | 'message' | 'responseSchema'> {
  if (about === 'approval')
    return { reason: 'tool_call', message: `May ${name} run?`, responseSchema: APPROVAL_SCHEMA };
  const message = `${name} was cut off, and it is unknown whether it took effect. Run it again, or tell its outcome.`;
  return { reason: 'unknown_outcome', message, responseSchema: UNKNOWN_OUTCOME_SCHEMA };
}
