import { createApplication, Session } from 'toolwright';
import { Order, ShopDesk } from './src/desk.js';

// The command line loads this: npx toolwright check, and so do render, tools, call and run.
export default () => createApplication({ prompts: [ShopDesk] });

export const session = () => new Session({ slices: [Order] });

// A model for `toolwright run`: npm install @toolwright/openai openai, and
// export const adapter = () => new OpenAIResponsesAdapter({ client: new OpenAI(), model: 'gpt-5-mini' });
