/** The scenarios for tasks, which no revision scores: each runs by its name. */
const SCENARIOS = [
  'tasks-lifecycle',
  'tasks-capability-negotiation',
  'tasks-wire-fields',
  'tasks-request-state-removal',
  'tasks-mrtr-input',
  'tasks-request-headers',
  'tasks-dispatch-and-envelope',
  'tasks-required-task-error',
  'tasks-status-notifications',
  'tasks-mrtr-composition',
];
/** The suite skips its checks until it can read `subscriptions/listen`. */
const CHECKS_NOTHING = 'tasks-status-notifications';

export const taskSet = {
  fixture: { source: 'serverTasks', create: 'taskServer' },
  needsServer: true,
  scenarios: SCENARIOS.map((name) => ({
    name,
    checksNothing: name === CHECKS_NOTHING,
    list: (url) => ['server', '--url', url, '--scenario', name],
  })),
};
