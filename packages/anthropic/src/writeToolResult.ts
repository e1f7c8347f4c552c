import type { Anthropic } from '@anthropic-ai/sdk';
import type { Message } from 'toolwright';
import type { writePartBlocks } from './writePartBlocks.js';

/**
 * Writes the result of a call. A result without text has no content, unless the call failed: the provider refuses a failure
 * without text.
 *
 * @param parts the blocks that follow the text
 */
export function writeToolResult(
  { failed }: Pick<Extract<Message, { role: 'tool' }>, 'failed'>,
  id: string,
  text: string,
  parts: ReturnType<typeof writePartBlocks> = [],
): Anthropic.Messages.ToolResultBlockParam {
  const said = text.trim() !== '' ? text : failed && parts.length === 0 ? 'The tool failed.' : '';
  const whole = parts.length === 0 ? said : [...(said === '' ? [] : [{ type: 'text' as const, text: said }]), ...parts];
  return {
    type: 'tool_result',
    tool_use_id: id,
    ...(whole.length === 0 ? {} : { content: whole }),
    ...(failed ? { is_error: true } : {}),
  };
}
