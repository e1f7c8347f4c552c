import { messagesDoor } from '../support/messagesKit';
import { describeBadInput } from '../../../openai/spec/support/badInput';

describeBadInput('Anthropic', messagesDoor());
