// The desk as `toolwright prove` gets it: over generated data, without anything outside.
import 'reflect-metadata';
import { Session } from 'toolwright';
import type { Approver } from 'toolwright/policies';
import { Plan } from 'toolwright/sections';
import { createRetailApplication, quietLogger } from '../application.js';
import { generateRetailData } from '../generate.js';
import { RetailStore } from '../store/RetailStore.js';
import { listExamples } from './listExamples.js';

const data = generateRetailData(20);
let applications = 0;

export default ({ approver }: { readonly approver: Approver }) =>
  createRetailApplication(RetailStore.of(data), {
    // Services of one application would keep the changes of another one.
    containerId: `proof-${applications++}`,
    logger: quietLogger,
    approver,
  });

/** The tools of planning change and read a plan, so each session begins with one. */
export const session = () => {
  const session = new Session({ slices: [Plan] });
  session.slice(Plan).seed(Plan.of('Cancel an order').withSteps(['Find the order', 'Cancel it']));
  return session;
};
export const examples = {
  ...listExamples(data),
  planning_setup_plan: [{ objective: 'Return a lamp', initial_steps: ['Find the order'] }],
  planning_update_step: [{ step_id: 1, status: 'done' }],
};
