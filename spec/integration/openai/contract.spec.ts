import { modelAdapterContract } from 'toolwright/testing';
import { openChatKit } from '../../support/openai/chatKit';

describe('OpenAIChatAdapter meets the contract of adapters', () => {
  for (const { name, run } of modelAdapterContract(openChatKit)) test(name, run);
});
