import { messagesDoor } from '../../../support/anthropic/messagesKit';
import { describeBadInput } from '../../../support/openai/badInput';

describeBadInput('Anthropic', messagesDoor());
