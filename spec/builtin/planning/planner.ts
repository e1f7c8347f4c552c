import { type Constructor, createApplication, definePrompt, Session, type ToolOutcome } from 'toolwright';
import type { Interceptor } from 'toolwright/policies';
import { Plan, PlanningSection } from 'toolwright/sections';
import { silent } from '../../support/silent';

/** The outcome of a call of a planning tool. */
export interface Planned {
  readonly kind: ToolOutcome['kind'];
  readonly text: string;
}

/** An application with the planning section alone, one session, and the slice `Plan` in it. */
export async function planner(
  options: {
    readonly section?: Constructor;
    readonly session?: Session;
    readonly interceptors?: readonly Interceptor[];
  } = {},
) {
  const { section = PlanningSection, session = new Session(), interceptors } = options;
  const desk = definePrompt({ ns: 'support', key: 'desk', sections: [section] });
  const app = await createApplication({ prompts: [desk], interceptors, logger: silent });
  const rendered = await app.prompt(desk).render({ session });
  const call = async (name: string, args: Record<string, unknown> = {}): Promise<Planned> => {
    const { kind, text } = await app.invoke(rendered, `planning_${name}`, args, { session });
    return { kind, text };
  };
  const plans = (): readonly Plan[] => session.slice(Plan).all();
  return { app, desk, rendered, session, call, plans };
}

/** Objective, status and steps, short enough to compare: `Ship (active): 1 pending a, 2 done b`. */
export function brief(plan: Plan | undefined): string | undefined {
  if (plan === undefined) return undefined;
  const steps = plan.steps.map(({ stepId, status, title }) => `${String(stepId)} ${status} ${title}`);
  return `${plan.objective} (${plan.status}): ${steps.join(', ')}`;
}
