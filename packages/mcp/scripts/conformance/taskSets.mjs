/** The scenarios for tasks. The last but one checks nothing yet: the suite skips it until it can read `subscriptions/listen`. */
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

/** The set of scenarios for tasks, which no revision scores: each runs by its name, against a server of its own. */
export const taskSets = [
  {
    group: 'tasks',
    name: '',
    of: SCENARIOS.length,
    fixture: { source: 'serverTasks', create: 'taskServer' },
    scenarios: SCENARIOS.map((name) => ({ name, list: (url) => ['server', '--url', url, '--scenario', name] })),
  },
];
