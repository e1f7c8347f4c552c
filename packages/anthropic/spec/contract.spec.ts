import { modelAdapterContract, type ProviderTurn } from '@toolwright/contracts';
import { openMessagesKit } from './support/messagesKit';

describe('AnthropicAdapter meets the contract of adapters', () => {
  for (const { name, run } of modelAdapterContract((script) => openMessagesKit(script))) test(name, run);
});

describe('AnthropicAdapter meets the contract of adapters when it streams every answer, in strict mode, without a cache', () => {
  const open = (script: readonly ProviderTurn[]) =>
    openMessagesKit(script, { maxTokens: 32_000, strict: true, cache: false });
  // A stream that says nothing may have been cut: it is asked for again.
  const checks = modelAdapterContract(open).filter(({ name }) => name !== 'an invalid answer ends the run');
  for (const { name, run } of checks) test(name, run);
});
