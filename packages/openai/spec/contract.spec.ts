import { modelAdapterContract } from '@toolwright/contracts';
import { openChatKit } from './support/chatKit';
import { openResponsesKit } from './support/responsesKit';

describe('OpenAIChatAdapter meets the contract of adapters', () => {
  for (const { name, run } of modelAdapterContract(openChatKit)) test(name, run);
});

describe('OpenAIResponsesAdapter meets the contract of adapters', () => {
  for (const { name, run } of modelAdapterContract(openResponsesKit)) test(name, run);
});
