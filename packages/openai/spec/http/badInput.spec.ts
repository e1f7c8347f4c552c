import { describeBadInput } from '../support/badInput';
import { chatDoor } from '../support/chatKit';
import { responsesDoor } from '../support/responsesKit';

describeBadInput('OpenAI Chat', chatDoor);
describeBadInput('OpenAI Responses', responsesDoor);
