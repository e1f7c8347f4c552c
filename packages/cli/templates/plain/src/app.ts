import { createApplication, Session } from 'toolwright';
import { Order, ShopDesk } from './desk.js';

// The command line loads this: npx toolwright check --app src/agent/app.ts, and so do render, tools, call and run.
export default () => createApplication({ prompts: [ShopDesk] });

export const session = () => new Session({ slices: [Order] });
