import OpenAI from 'openai';
import { OpenAIChatAdapter } from '@toolwright/openai';
import { KEY } from './client';
import { ProviderDouble, type Turn } from './ProviderDouble';

const running: ProviderDouble[] = [];

/**
 * A provider on loopback that plays the script, and an adapter with the true client in front of it. Specs that use it
 * call `stopAll` after each test.
 */
export async function provider(...script: readonly Turn[]) {
  const double = await ProviderDouble.start(...script);
  running.push(double);
  const client = new OpenAI({ apiKey: KEY, baseURL: double.baseURL, maxRetries: 0 });
  return { double, client, adapter: new OpenAIChatAdapter({ client, model: 'gpt-5-mini' }) };
}

/** Ends every provider, and lets an unhandled rejection surface while its test is still running. */
export async function stopAll(): Promise<void> {
  await Promise.all(running.splice(0).map((double) => double.stop()));
  await new Promise((resolve) => setImmediate(resolve));
}

/** The results of tools in a request, by call id. */
export function toolMessages(double: ProviderDouble, request: number): Readonly<Record<string, unknown>> {
  const messages = double.requests[request]?.body.messages ?? [];
  return Object.fromEntries(
    messages
      .filter(({ role }) => role === 'tool')
      .map(({ tool_call_id: id, content }) => [String(id), content] as const),
  );
}
