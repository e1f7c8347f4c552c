import { PlanningSection, PlanningStrategy } from 'toolwright/sections';

PlanningSection.with({ strategy: PlanningStrategy.PLAN_ACT_REFLECT });
PlanningSection.with({ strategy: 'goal_decompose_route_synthesise' });
PlanningSection.with({});

// @ts-expect-error there is no such strategy
PlanningSection.with({ strategy: 'odd' });
// @ts-expect-error the option has another name
PlanningSection.with({ strategies: PlanningStrategy.REACT });
