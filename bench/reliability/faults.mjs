// The eight faults: what the model does, in which processes, and how an observation is put into words. The words are the same for all.
const call = (name, args = {}) => ({ calls: [{ name, json: JSON.stringify(args) }] });
const times = (count) => (count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`);

/** Arguments that a model or an injected text may produce for `refund({ id: string, amount: number })`. */
export const hostileArguments = {
  'not JSON': '{"id":"a","amount":',
  'a duplicate key': '{"id":"a","amount":1,"amount":1000}',
  'the key __proto__': '{"id":"a","amount":1,"__proto__":{"admin":true}}',
  'an unknown key': '{"id":"a","amount":1,"admin":true}',
  'the number 1e999': '{"id":"a","amount":1e999}',
  '20,000 nested lists': `{"id":"a","amount":1,"note":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
};

export const badSchema = { type: 'object', properties: { city: { type: 'strnig' } } };

export const faults = {
  failedTool: {
    title: 'State after a failed tool',
    script: [call('reserve', { pieces: 3 })],
    phases: ['run'],
    describe: ({ before, after, told }) =>
      `state ${after === before ? 'as before' : `changed (${before} → ${after})`}; the model ${told ? 'reads' : 'does not read'} the error`,
  },
  killedEffect: {
    title: 'The process is killed after an effect',
    script: [call('reserve', { pieces: 3 }), call('charge', { amount: 5 })],
    phases: ['begin', 'recover'],
    describe: ({ charged, reserved, sameKey, ended }) =>
      `charged ${times(charged)}${charged > 1 ? ` (${sameKey ? 'same' : 'another'} key)` : ''}, reserved ${times(reserved)}; the run ${ended ? 'ends' : 'does not end'}`,
  },
  approval: {
    title: 'An approval over a restart, sent twice',
    script: [call('charge', { amount: 5 })],
    phases: ['begin', 'reply'],
    describe: ({ visible, atOnce, later }) =>
      `question ${visible ? 'kept' : 'lost'}; charged ${times(atOnce)} by two replies at once, ${times(later)} after a third`,
  },
  prefix: {
    title: 'A deployment changes the prompt',
    script: [call('look')],
    phases: ['first', 'same', 'changed'],
    describe: ({ same, changed, reported }) =>
      `prefix ${same ? 'kept' : 'changed'} over a restart, ${changed ? 'kept' : 'changed'} by the deployment; ${reported ? 'reported' : 'not reported'}`,
  },
  hostile: {
    title: 'Hostile arguments',
    script: [],
    phases: Object.keys(hostileArguments),
    describe: (observations) => {
      const entries = Object.entries(observations);
      const listOf = (wanted) => entries.filter(([, how]) => how === wanted).map(([name]) => name);
      const parts = ['refused', 'ran', 'ended the run'].map((how) => [how, listOf(how)]);
      return parts
        .filter(([, names]) => names.length > 0)
        .map(([how, names]) => `${how}: ${names.join(', ')}`)
        .join('; ');
    },
  },
  badSchema: {
    title: 'One bad schema among the tools',
    script: [call('good')],
    phases: ['run'],
    describe: ({ noticed, ran }) => `noticed ${noticed}; the good tool ${ran ? 'runs' : 'does not run'}`,
  },
  cancel: {
    title: 'Cancelled in the middle of a tool',
    script: [call('slow')],
    phases: ['run'],
    describe: ({ prompt, signalled, late, next }) =>
      `the caller ${prompt ? 'gets control at once' : 'waits for the tool'}; the tool ${signalled ? 'gets' : 'does not get'} the signal; its late write ${late ? 'lands' : 'is refused'}; the next message ${next ? 'is answered' : 'fails'}`,
  },
  message: {
    title: 'A message during a run',
    script: [call('slow')],
    phases: ['run'],
    describe: ({ heardIn, kept, failed }) =>
      `heard ${heardIn}; ${kept ? 'kept' : 'not kept'} in the history${failed ? '; one of the runs fails' : ''}`,
  },
};
