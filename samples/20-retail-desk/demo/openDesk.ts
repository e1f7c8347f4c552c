import { type Application, type BoundPrompt, type Message, type ModelAdapter, Session } from 'toolwright';
import type { Approver } from 'toolwright/policies';
import { Plan } from 'toolwright/sections';
import { createRetailApplication, quietLogger } from '../application.js';
import { generateRetailData } from '../generate.js';
import { RetailDesk } from '../RetailDesk.js';
import { DeskParams } from '../sections/DeskParams.js';
import { RetailStore } from '../store/RetailStore.js';
import { InPlaceModel } from './InPlaceModel.js';
import { findLongRequest, writeLongScript } from './longRequest.js';

/** A desk for an inspector, which looks at it and tries tools. */
export interface OpenDesk {
  readonly app: Application;
  readonly prompt: BoundPrompt;
  readonly newSession: () => Session;
  /** Answers the customer by the script, in their conversation and its forks. */
  readonly adapter: ModelAdapter;
  /** Plays a customer with three requests; the approver is asked about two refunds. */
  play(): Promise<void>;
}

/** Opens the desk over the generated shop. */
export async function openDesk(approver: Approver, seed = 20): Promise<OpenDesk> {
  const data = generateRetailData(seed);
  const app = await createRetailApplication(RetailStore.of(data), {
    containerId: 'open-desk',
    logger: quietLogger,
    approver,
  });
  const prompt = app.prompt(RetailDesk).bind(DeskParams, { storeName: 'the Harbour Store', timeZone: 'EST' });
  const newSession = () => new Session({ slices: [Plan] });
  const request = findLongRequest(data, '');
  const { model, customer } = request === undefined ? { model: [], customer: [] } : writeLongScript(request);
  const adapter = new InPlaceModel(model);
  return {
    app,
    prompt,
    newSession,
    adapter,
    async play() {
      const session = newSession();
      let said: readonly Message[] = [];
      for (const content of customer) {
        const messages: readonly Message[] = [...said, { role: 'user', content }];
        const { transcript } = await app.evaluate(prompt, { adapter, session, messages });
        said = transcript.filter(({ role }) => role !== 'system');
      }
    },
  };
}
