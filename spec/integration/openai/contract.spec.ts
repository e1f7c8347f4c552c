import { modelAdapterContract } from 'toolwright/testing';
import { openChatKit } from '../../support/openai/chatKit';
import { openResponsesKit } from '../../support/openai/responsesKit';

describe('OpenAIChatAdapter meets the contract of adapters', () => {
  for (const { name, run } of modelAdapterContract(openChatKit)) test(name, run);
});

describe('OpenAIResponsesAdapter meets the contract of adapters', () => {
  for (const { name, run } of modelAdapterContract(openResponsesKit)) test(name, run);
});
