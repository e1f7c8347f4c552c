import type { ModelResponse, RenderedPrompt, ToolCall } from 'toolwright';
import { Plan } from 'toolwright/sections';
import type { Decision } from '../services/Supervisor.js';
import type { LoggedCall } from './CallLog.js';
import { describeArguments, describeValue } from './describe.js';
import type { Terminal } from './Terminal.js';
import type { Booking } from './UnreliableCourier.js';

/** Prints the events of the desk as they happen. */
export class DeskView {
  // Calls of one turn may end in another order than they began in.
  private severalCalls = false;

  constructor(private readonly terminal: Terminal) {}

  heading(title: string, text: string): void {
    this.terminal.gap();
    this.terminal.say('', title, 'strong');
    this.terminal.say('', text);
    this.terminal.gap();
  }

  prompt({ sections, tools, text }: RenderedPrompt): void {
    const closed = sections.filter(({ visibility }) => visibility === 'summary').length;
    this.terminal.say(
      'prompt',
      `${sections.length} sections (${closed} as a summary), ${tools.length} tools, ${text.length} characters`,
    );
    this.terminal.gap();
  }

  customer(text: string): void {
    this.terminal.say('customer', text, 'strong');
    this.terminal.gap();
  }

  model({ text, toolCalls }: ModelResponse): void {
    if (text !== null && text !== '') this.terminal.say('agent', text, 'strong');
    for (const call of toolCalls) this.call(call);
    this.severalCalls = toolCalls.length > 1;
    if (toolCalls.length === 0) this.terminal.gap();
  }

  courier({ order, taken }: Booking): void {
    const answer = taken ? 'takes the booking' : 'does not answer';
    this.terminal.say('courier', `${answer}; within this call ${order.order_id} is "${order.status}"`);
  }

  supervisor({ tool, answer }: Decision): void {
    this.terminal.say('asked', `a supervisor, about ${tool}: ${answer.kind}`);
  }

  outcome(call: LoggedCall): void {
    const of = this.severalCalls ? `${call.name}: ` : '';
    if (call.kind === 'expanded') {
      // The chapters themselves are long; the tools that come with them are at the end.
      const size = `${call.text.length} characters to read`;
      this.terminal.say('  opened', `${call.opened.join(', ')}: ${size}`, 'good');
      this.terminal.say('', call.text.split('\n').at(-1) ?? '', 'quiet');
    } else if (call.kind === 'succeeded') {
      const value = call.value instanceof Plan ? call.value.render() : describeValue(call.value);
      this.terminal.say('  ok', `${of}${value}`, 'good');
    } else {
      this.terminal.say(call.kind === 'denied' ? '  DENIED' : '  FAILED', `${of}${call.text}`, 'bad');
      const same = call.before === call.after ? 'not one record differs' : 'IT CHANGED';
      this.terminal.say('  store', `${short(call.before)} before, ${short(call.after)} after: ${same}`);
    }
    this.changes(call);
    this.terminal.gap();
  }

  check(text: string, holds: boolean): void {
    this.terminal.say(holds ? '  ok' : '  WRONG', text, holds ? 'good' : 'bad');
  }

  private call(call: ToolCall): void {
    this.terminal.say('calls', call.name);
    for (const line of describeArguments(call.arguments)) this.terminal.say('', `  ${line}`, 'quiet');
  }

  private changes({ changes }: LoggedCall): void {
    for (const { table, id, fields } of changes) {
      this.terminal.say('  changed', `${table} ${id}`);
      for (const { field, before, after } of fields) {
        this.terminal.say(
          '',
          `  ${field}: ${before === undefined ? 'none' : JSON.stringify(before)} -> ${JSON.stringify(after)}`,
        );
      }
    }
  }
}

function short(digest: string): string {
  return digest.slice(0, 12);
}
