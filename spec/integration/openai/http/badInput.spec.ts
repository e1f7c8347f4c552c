import { describeBadInput } from '../../../support/openai/badInput';
import { chatDoor } from '../../../support/openai/chatKit';
import { responsesDoor } from '../../../support/openai/responsesKit';

describeBadInput('OpenAI Chat', chatDoor);
describeBadInput('OpenAI Responses', responsesDoor);
